/** The webhook endpoints of a store. */
import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, min, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext, storeNumber } from '../change/context.ts'
import { deleteSubject } from '../change/event.ts'
import { optionalFields } from '../change/fields.ts'
import { readOne } from '../change/read.ts'
import { changedFieldsJson, changesJson, differencesOf, recordParams, recordValues } from '../change/record.ts'
import { changeOf, updateOf } from '../change/update.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../pages.ts'

/** An endpoint, and the time of its next attempt. For an attempt in flight, this is the time at which it was claimed. */
export type EndpointRecord = WebhookEndpoint & { next_attempt_at: number | null }

const isOfEndpoint = eq(webhook_deliveries.endpoint_id, webhook_endpoints.id)

const nextDue = orm
  .select({ at: min(webhook_deliveries.next_attempt_at) })
  .from(webhook_deliveries)
  .where(and(isOfEndpoint, isNull(webhook_deliveries.lease), isNotNull(webhook_deliveries.next_attempt_at)))

const nextLeaseEnd = orm
  .select({ at: min(webhook_deliveries.next_attempt_at) })
  .from(webhook_deliveries)
  .where(
    and(isOfEndpoint, isNotNull(webhook_deliveries.lease), gt(webhook_deliveries.next_attempt_at, contextParams.now)),
  )

/** A delivery that is overdue is tried at once. */
const nextWaiting = sql`max(${contextParams.now}, ${nextDue} - ${webhook_endpoints.ahead_ms})`

const nextAttempt = sql<number | null>`iif(${webhook_endpoints.disabled_at} is null,
  coalesce(${nextLeaseEnd} - ${WEBHOOK.leaseMs}, ${nextWaiting}), null)`

/** The columns of `EndpointRecord`. */
export const endpointColumns = {
  ...getTableColumns(webhook_endpoints),
  next_attempt_at: nextAttempt.as('next_attempt_at'),
}

const numberParams = params('number')

export const selectEndpoint = statement(numberParams, () =>
  orm
    .select(endpointColumns)
    .from(webhook_endpoints)
    .where(eq(webhook_endpoints.id, idIn(storeNumber, numberParams.number))),
)

/** Throws the errors of the authorization and `not_found`. */
export function getEndpoint(db: Db, context: RequestContext, number: number): Promise<EndpointRecord> {
  return readOne(db, context, selectEndpoint({ number }))
}

const selectEndpoints = statement(pageParams, () =>
  orm
    .select(endpointColumns)
    .from(webhook_endpoints)
    .where(isOfStore(webhook_endpoints.id, storeNumber, pageParams.after))
    .orderBy(asc(webhook_endpoints.id))
    .limit(limitOf(pageParams.count)),
)

/** Throws the errors of the authorization. */
export function listEndpoints(
  db: Db,
  context: RequestContext,
  { limit, after = 0 }: PageRequest<number>,
): Promise<Page<EndpointRecord>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectEndpoints({ after, count }),
  })
}

const fields = optionalFields(webhook_endpoints, ['url', 'types'])

const updateParams = { ...recordParams, ...fields.params }

/** URLs may contain secrets, so the event names the field without its values. */
function updateJson({ url, types }: ReturnType<typeof fields.after>): SQL {
  const changes = changesJson(differencesOf(webhook_endpoints, { types }))
  return sql`json_patch(${changes}, ${changedFieldsJson(differencesOf(webhook_endpoints, { url }))})`
}

const update = updateOf(updateParams, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.updated',
  after: fields.after(),
  event: { data: updateJson(fields.after()) },
}))

const selectUpdated = statement(updateParams, () =>
  update.selectRequest({ ...resultOf(update.rules()), ...endpointColumns }),
)

interface EndpointUpdate {
  number: number
  /** If undefined, the endpoint keeps its URL. */
  url: string | undefined
  /** Null for all types; if undefined, the endpoint keeps its types. */
  types: readonly string[] | null | undefined
}

/** Throws the errors of the authorization and `not_found`. */
export async function updateEndpoint(
  db: Db,
  context: RequestContext,
  { number, url, types }: EndpointUpdate,
): Promise<EndpointRecord> {
  const values = { ...recordValues({ number }), ...fields.valuesOf({ url, types: types && types.join(' ') }) }
  const result = await commit(db, context, {
    event: update.insertEvent(values),
    endpoint: update.updateRecord(values),
    result: selectUpdated(values),
  })
  return requireRecord<EndpointRecord>(result)
}

const deletion = changeOf(recordParams, () => ({ table: webhook_endpoints, type: 'webhook_endpoint.deleted' }))

const deleteEndpointOfEvent = deleteSubject(webhook_endpoints)

const selectDeleted = statement(recordParams, () => deletion.selectRequest(resultOf(deletion.rules())))

/** The hourly job deletes the deliveries. Throws the errors of the authorization and `not_found`. */
export async function deleteEndpoint(db: Db, context: RequestContext, number: number): Promise<void> {
  const values = recordValues({ number })
  await commit(db, context, {
    event: deletion.insertEvent(values),
    endpoint: deleteEndpointOfEvent({}),
    result: selectDeleted(values),
  })
}
