/** The webhook endpoints of a store. */
import { and, asc, eq, exists, getTableColumns, min, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { storeNumber } from '../change/authorize.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { deleteSubject } from '../change/event.ts'
import { optionalFields } from '../change/fields.ts'
import { readOne } from '../change/read.ts'
import { changedFieldsJson, changesJson, differencesOf, recordParams, recordValues } from '../change/record.ts'
import { changeOf, updateOf } from '../change/update.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../pages.ts'
import { probeNow } from './endpoint-state.ts'
import { isInFlight, isOfEndpoint, selectDueAnyway, selectNextDue } from './pending-deliveries.ts'

/** An endpoint, and the time of its next attempt. For an attempt in flight, this is the time at which it was leased. */
export type EndpointRecord = WebhookEndpoint & { next_attempt_at: number | null }

const { disabled_at, probe_at, probes, url: currentUrl } = webhook_endpoints

/** What is overdue or has resumed is sent at once, and so is a probe that is overdue. */
function nextAttempt() {
  const leased = orm
    .select({ at: min(webhook_deliveries.next_attempt_at) })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isInFlight))
  return sql<number | null>`case
    when ${disabled_at} is not null then null
    when ${probe_at} is not null then max(${contextParams.now}, ${probe_at})
    else coalesce(${leased}, iif(${exists(selectDueAnyway())}, ${contextParams.now}, max(${contextParams.now}, ${selectNextDue()}))) end`
}

/** The columns of `EndpointRecord`. */
export function endpointColumns() {
  return { ...getTableColumns(webhook_endpoints), next_attempt_at: nextAttempt().as('next_attempt_at') }
}

const numberParams = params('number')

export const selectEndpoint = statement(numberParams, () =>
  orm
    .select(endpointColumns())
    .from(webhook_endpoints)
    .where(eq(webhook_endpoints.id, idIn(storeNumber, numberParams.number))),
)

/** Throws the errors of the authorization and `not_found`. */
export function getEndpoint(db: Db, context: RequestContext, number: number): Promise<EndpointRecord> {
  return readOne(db, context, selectEndpoint({ number }))
}

const selectEndpoints = statement(pageParams, () =>
  orm
    .select(endpointColumns())
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

const update = updateOf(updateParams, () => {
  const after = fields.after()
  // An endpoint that is down is probed at its new URL at once.
  const movesElsewhere = sql`${after.url} is not ${currentUrl}`
  return {
    table: webhook_endpoints,
    type: 'webhook_endpoint.updated',
    after,
    alsoSet: {
      probe_at: sql`iif(${movesElsewhere}, ${probeNow}, ${probe_at})`,
      probes: sql`iif(${movesElsewhere}, 0, ${probes})`,
    },
    event: { data: updateJson(after) },
  }
})

const selectUpdated = statement(updateParams, () =>
  update.selectRequest({ ...resultOf(update.rules()), ...endpointColumns() }),
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
  const endpoint = requireRecord<EndpointRecord>(result)
  // `commit` does not note an endpoint that is down.
  if (url !== undefined && endpoint.probe_at !== null) db.endpointsToWake.add(endpoint.id)
  return endpoint
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
