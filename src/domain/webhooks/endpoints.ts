import { asc, getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Orm, type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { HOUR_MS, WEBHOOK } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { creationOf, deletionOf, sendCreation, sendDeletion } from '../change/creations.ts'
import { eventId, ownEvent } from '../change/event.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'
import { readOne } from '../change/read.ts'
import { rotationOf } from '../tokens/secret-rotation.ts'
import { newSecret } from './secrets.ts'

/** An endpoint, and when it is next asked for anything. */
export type EndpointRecord = WebhookEndpoint & { next_attempt_at: number | null }

interface EndpointAsked {
  call: Call
  number: number
}

/** What is overdue is next tried at once; of what is in flight, `next_attempt_at` shows when that attempt began. */
function selectEndpoints(orm: Orm, now: Placeholder) {
  const { id, ahead_ms, disabled_at } = webhook_endpoints
  const waiting = sql`(select max(${now}, min(d.next_attempt_at) - ${ahead_ms}) from ${webhook_deliveries} d
    where d.endpoint_id = ${id} and d.lease is null and d.next_attempt_at is not null)`
  const inFlight = sql`(select min(d.next_attempt_at) - ${WEBHOOK.leaseMs} from ${webhook_deliveries} d
    where d.endpoint_id = ${id} and d.lease is not null and d.next_attempt_at > ${now})`
  return orm
    .select({
      ...getTableColumns(webhook_endpoints),
      next_attempt_at: sql<number | null>`iif(${disabled_at} is null, coalesce(${inFlight}, ${waiting}), null)`.as(
        'next_attempt_at',
      ),
    })
    .from(webhook_endpoints)
}

interface NewEndpoint {
  call: Call
  url: string
  /** Undefined for all, those that are yet to come too. */
  types: readonly string[] | undefined
}

const creationSteps = creationOf<{ url: string; types: string | null; secret: string }, typeof webhook_endpoints>({
  table: webhook_endpoints,
  type: 'webhook_endpoint.created',
  columns: (p) => ({
    id: eventId,
    url: p.url,
    types: p.types,
    secret: p.secret,
    older_secrets: null,
    // It is sent what happens from now on.
    cursor: eventId,
    failures: 0,
    failing_since: null,
    last_status: null,
    ahead_ms: 0,
    disabled_at: null,
    created_at: p.now,
    event_id: eventId,
  }),
})

const selectOwn = statement((p: Params<CallValues>, orm) =>
  selectEndpoints(orm, p.now).where(sql`${webhook_endpoints.id} = ${ownEvent(p)}`),
)

export async function createEndpoint(db: Db, { call, url, types }: NewEndpoint): Promise<EndpointRecord> {
  const values = { ...callValues(call), url, types: types?.join(' ') ?? null, secret: newSecret() }
  const row = await sendCreation(db, creationSteps(values), selectOwn(values))
  // Nothing has happened yet that it is sent.
  db.endpointsToWake.delete(row.id)
  return row
}

export const selectEndpoint = statement((p: Params<CallValues & { number: number }>, orm) =>
  selectEndpoints(orm, p.now).where(sql`${webhook_endpoints.id} = ${idIn(p.store, p.number)}`),
)

/** Throws `not_found`. */
export function getEndpoint(db: Db, { call, number }: EndpointAsked): Promise<EndpointRecord> {
  return readOne(db, call, selectEndpoint({ ...callValues(call), number }))
}

export function listEndpoints(
  db: Db,
  call: Call,
  { limit, after = 0 }: PageRequest<number>,
): Promise<Page<EndpointRecord>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectPage({ ...callValues(call), after, count }),
  })
}

const selectPage = statement((p: Params<CallValues & { after: number; count: number }>, orm) =>
  selectEndpoints(orm, p.now)
    .where(isOfStore(sql`${webhook_endpoints.id}`, p.store, p.after))
    .orderBy(asc(webhook_endpoints.id))
    .limit(p.count),
)

const FIELDS = ['url', 'types'] as const

const updateSteps = changeOf({
  table: webhook_endpoints,
  type: 'webhook_endpoint.updated',
  fields: FIELDS,
  eventShows: 'changes',
})

/** What is undefined keeps its value; null types are all. Throws `not_found`. */
export function updateEndpoint(
  db: Db,
  {
    call,
    number,
    url,
    types,
  }: EndpointAsked & { url: string | undefined; types: readonly string[] | null | undefined },
): Promise<EndpointRecord> {
  const fields = fieldValues(FIELDS, { url, types: types && types.join(' ') })
  const values = { ...callValues(call), ...recordValues(number), ...fields }
  return sendChange(db, { call, steps: updateSteps(values), found: selectEndpoint(values) })
}

const deletionSteps = deletionOf<{ number: number }>({
  table: webhook_endpoints,
  type: 'webhook_endpoint.deleted',
  which: (p) => sql`${webhook_endpoints.id} = ${idIn(p.store, p.number)}`,
})

/** Its deliveries go with the next hourly run. Throws `not_found`. */
export function deleteEndpoint(db: Db, { call, number }: EndpointAsked): Promise<void> {
  return sendDeletion(db, deletionSteps({ ...callValues(call), number }))
}

const rotation = rotationOf({ current: webhook_endpoints.secret, older: webhook_endpoints.older_secrets })

const rotationSteps = changeOf<typeof webhook_endpoints, 'secret', { overlap_ms: number }>({
  table: webhook_endpoints,
  type: 'webhook_endpoint.updated',
  fields: ['secret'],
  refusedWith: rotation.verdict,
  alsoSets: (p) => ({ older_secrets: rotation.olderAfter(p) }),
})

/**
 * Gives the endpoint a new secret, which is answered beside it; the one that is replaced signs for so long, too, and 0
 * ends every older one at once. Throws `not_found` and `too_many_secrets`.
 */
export async function rotateSecret(
  db: Db,
  { call, number, overlap_hours }: EndpointAsked & { overlap_hours: number },
): Promise<{ row: EndpointRecord; secret: string }> {
  const secret = newSecret()
  const values = { ...callValues(call), ...recordValues(number), ...fieldValues(['secret'], { secret }) }
  const steps = rotationSteps({ ...values, overlap_ms: overlap_hours * HOUR_MS })
  return { row: await sendChange(db, { call, steps, found: selectEndpoint(values) }), secret }
}
