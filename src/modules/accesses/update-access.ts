/**
 * Updates an access, with every statement written out as an example to read: src/change/update-record.ts has the form
 * that other resources share. One batch, which the database runs as one transaction:
 *   1. insert the event `product_access.updated` with the values before and after, unless a rule rejects the request
 *   2. update the access that the event is about
 *   3. select the outcome and the access
 * If the response of the database is lost, the batch is sent again: it finds its event and changes nothing. Each later
 * attempt also leaves a fencing token (src/change/attempts.ts): if the first one arrives after it, it finds the token
 * and changes nothing. A client that sends its request again makes another request: it finds nothing to change, or another
 * ETag if it sent If-Match. Without If-Match, it overwrites what others have changed since the first one.
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { events, product_accesses, products, users } from '../../db/schema.ts'
import { orm, statement, withJoins } from '../../db/statement.ts'
import {
  attemptRules,
  isEventOfThisAttempt,
  selectRequestWithEarlierAttempts,
  permitted,
} from '../../change/attempts.ts'
import { authorization } from '../../change/authorize.ts'
import { newEvent } from '../../change/event.ts'
import type { RequestFields } from '../../change/request.ts'
import { commit, requireRecord, resultOf } from '../../change/commit.ts'
import type { RequestContext } from '../../change/context.ts'
import { optionalFields } from '../../change/optional-fields.ts'
import {
  changesJson,
  differencesOf,
  etagMismatch,
  isUnchanged,
  recordParams,
  type RecordRequest,
  recordValues,
} from '../../change/differences.ts'
import { noneHolds, rule } from '../../change/rules.ts'
import { expiryColumnsAfter } from './expiry.ts'
import { type AccessStatus, accessColumns, type ProductAccessRecord } from './access-record.ts'

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
  const values = { ...recordValues(record), ...fields.valuesOf({ status, access_due_date }) }
  const result = await commit(db, context, {
    event: insertUpdatedEvent(values),
    access: updateAccess(values),
    result: selectResult(values),
  })
  return requireRecord<ProductAccessRecord>(result)
}

const fields = optionalFields(product_accesses, ['status', 'access_due_date'])

/** The values after the update. */
const after = fields.after()

const differences = differencesOf(product_accesses, after)

/**
 * In the order of the contract: the first rule that holds is the outcome. `attemptRules` comes first because after the
 * write the ETag has changed and the values are the same, so that `etag_mismatch` and `unchanged` hold as well.
 */
const rules = [
  ...attemptRules,
  ...authorization,
  rule('not_found', isNull(product_accesses.id)),
  etagMismatch(product_accesses.changed_by),
  rule('unchanged', isUnchanged(differences)),
]

const requestParams = { ...recordParams, ...fields.params }

/** One row: the request with the access that it names. */
function selectRequest<Selected extends RequestFields>(selected: Selected) {
  return withJoins(selectRequestWithEarlierAttempts(selected), [
    product_accesses,
    eq(product_accesses.id, idIn(permitted.store, recordParams.number)),
  ])
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

const updateAccess = statement(fields.params, () =>
  orm
    .update(product_accesses)
    // `changed_by` is the ETag; an expiry moves only `event_id`. The end of a new due date is announced again.
    .set({ ...after, ...expiryColumnsAfter(after), event_id: events.id, changed_by: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(product_accesses.id, events.subject_id))),
)

const selectResult = statement(requestParams, () =>
  selectRequest({ ...resultOf(rules), ...accessColumns() })
    .leftJoin(products, eq(products.id, product_accesses.product_id))
    .leftJoin(users, eq(users.id, product_accesses.user_id)),
)
