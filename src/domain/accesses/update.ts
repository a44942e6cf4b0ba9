/**
 * Updates an access. One batch, which D1 runs as one transaction:
 *   1. insert the event `product_access.updated` with the values before and after, unless a rule ends the request
 *   2. update the access that the event is about
 *   3. select the outcome and the access
 * If the response of D1 is lost, the batch is sent again: it finds its event and writes nothing (change/event.ts).
 */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { events, product_accesses, products, users } from '../../db/schema.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { authorization, request, type RequestFields } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import { earlierAttempts, isEventOfThisAttempt, newEvent, selectRequestWithEarlierAttempts } from '../change/event.ts'
import {
  changesJson,
  differencesOf,
  etagMismatch,
  isUnchanged,
  recordParams,
  type RecordRequest,
  recordValues,
} from '../change/record.ts'
import { noneHolds, rule } from '../change/rules.ts'
import { expiryColumnsAfter } from './expiry.ts'
import { type AccessStatus, accessColumns, type ProductAccessRecord } from './product-accesses.ts'

interface UpdateInput extends RecordRequest {
  /** If undefined, the access keeps its status. */
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch; null removes the limit, undefined keeps the date. */
  access_due_date?: number | null | undefined
}

/** Throws the errors of the authorization, `not_found` and `etag_mismatch`. */
export async function updateProductAccess(
  db: Db,
  context: RequestContext,
  { status, access_due_date, ...record }: UpdateInput,
): Promise<ProductAccessRecord> {
  const update = {
    status: status ?? null,
    access_due_date: access_due_date ?? null,
    sets_due_date: access_due_date === undefined ? 0 : 1,
  }
  const request = { ...recordValues(record), ...update }
  const result = await commit(db, context, {
    event: insertUpdatedEvent(request),
    access: updateAccess(update),
    result: selectResult(request),
  })
  return requireRecord<ProductAccessRecord>(result)
}

const updateParams = params('status', 'access_due_date', 'sets_due_date')

const { status, access_due_date } = product_accesses

/** The values after the update. */
const after = {
  status: sql<string>`coalesce(${updateParams.status}, ${status})`,
  access_due_date: sql<
    number | null
  >`iif(${updateParams.sets_due_date}, ${updateParams.access_due_date}, ${access_due_date})`,
}

const differences = differencesOf(product_accesses, after)

/** In the order of the contract: the first rule that holds is the outcome. */
const rules = [
  ...earlierAttempts,
  ...authorization,
  rule('not_found', isNull(product_accesses.id)),
  etagMismatch(product_accesses.changed_by),
  rule('unchanged', isUnchanged(differences)),
]

const requestParams = { ...recordParams, ...updateParams }

/** One row: the request with the access that it names. */
function selectRequest<Fields extends RequestFields>(fields: Fields) {
  const query = selectRequestWithEarlierAttempts(fields)
  query.leftJoin(product_accesses, eq(product_accesses.id, idIn(request.store, recordParams.number)))
  return query
}

const insertUpdatedEvent = statement(requestParams, () =>
  orm.insert(events).select(
    selectRequest(
      newEvent({
        type: 'product_access.updated',
        subject: product_accesses,
        user_id: product_accesses.user_id,
        product_id: product_accesses.product_id,
        data: changesJson(differences),
      }),
    ).where(noneHolds(rules)),
  ),
)

const updateAccess = statement(updateParams, () =>
  orm
    .update(product_accesses)
    .set({ ...after, ...expiryColumnsAfter(after), event_id: events.id, changed_by: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(product_accesses.id, events.subject_id))),
)

const selectResult = statement(requestParams, () =>
  selectRequest({ ...resultOf(rules), ...accessColumns() })
    .leftJoin(products, eq(products.id, product_accesses.product_id))
    .leftJoin(users, eq(users.id, product_accesses.user_id)),
)
