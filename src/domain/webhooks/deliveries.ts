/** Deliveries as operators see them, and the jobs that look after them. Sending starts in jobs/deliver.ts. */
import { and, asc, eq, exists, gt, isNotNull, isNull, lt, lte, min, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberIn, numberOf, storeIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { limitOf, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { SCAN_LIMIT, WEBHOOK } from '../../limits.ts'
import { contextParams, type RequestContext, storeNumber } from '../change/context.ts'
import { read } from '../change/read.ts'
import { DomainError } from '../errors.ts'
import { type Page, pageParams, type PageRequest, searchedPageOf } from '../pages.ts'
import { deleteInChunks } from '../purge.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A delivery as the API shows it. */
export interface DeliveryRecord {
  event_id: number
  state: string
  attempts: number
  last_status: number | null
  last_attempt_at: number | null
  next_attempt_at: number | null
}

const { endpoint_id, event_id, state, attempts, last_status, last_attempt_at, lease } = webhook_deliveries

/**
 * The time of the next attempt: now for a delivery that is overdue or whose lease has expired, the time of the claim for
 * one that is in flight, and null if the endpoint is disabled.
 */
const nextAttempt = sql<number | null>`case
  when ${webhook_endpoints.disabled_at} is not null or ${webhook_deliveries.next_attempt_at} is null then null
  when ${lease} is null then max(${contextParams.now}, ${webhook_deliveries.next_attempt_at} - ${webhook_endpoints.ahead_ms})
  when ${webhook_deliveries.next_attempt_at} > ${contextParams.now} then ${webhook_deliveries.next_attempt_at} - ${WEBHOOK.leaseMs}
  else ${contextParams.now} end`

/** The columns of `DeliveryRecord`, to be selected from deliveries joined with their endpoint. */
export const deliveryColumns = {
  event_id,
  state,
  attempts,
  last_status,
  last_attempt_at,
  next_attempt_at: nextAttempt.as('next_attempt_at'),
}

interface DeliveryFilter extends PageRequest<number> {
  /** The number of the endpoint. */
  number: number
  state?: DeliveryState | undefined
}

const listParams = { ...pageParams, ...params('number', 'state') }

const endpointId = idIn(storeNumber, listParams.number)

/** The state has no index, so a page with a filter searches a limited number of deliveries. */
const searchLimit = sql`iif(${listParams.state} is null, ${listParams.count}, ${SCAN_LIMIT})`

const searched = orm
  .select({ event_id, endpoint_id, state })
  .from(webhook_deliveries)
  .where(and(eq(endpoint_id, endpointId), gt(event_id, idIn(storeNumber, listParams.after))))
  .orderBy(asc(event_id))
  .limit(limitOf(searchLimit))
  .as('searched')

const numbered = orm
  .select({
    event_id: searched.event_id,
    endpoint_id: searched.endpoint_id,
    matches: sql<0 | 1>`(${listParams.state} is null or ${searched.state} = ${listParams.state})`.as('matches'),
    position: sql<number>`row_number() over (order by ${searched.event_id})`.as('position'),
  })
  .from(searched)
  .as('numbered')

/** The deliveries that match, and the last one that may be searched. */
const page = orm
  .select({
    event_id: numbered.event_id,
    endpoint_id: numbered.endpoint_id,
    matches: numbered.matches,
    is_end: sql<0 | 1>`${numbered.position} = ${SCAN_LIMIT}`.as('is_end'),
  })
  .from(numbered)
  .where(or(numbered.matches, eq(numbered.position, SCAN_LIMIT)))
  .orderBy(asc(numbered.event_id))
  .limit(limitOf(listParams.count))
  .as('page')

/** No row if there is no such endpoint. A row of nulls if the endpoint has no deliveries to show. */
const selectPage = statement(listParams, () =>
  orm
    .select({ ...deliveryColumns, matches: page.matches, is_end: page.is_end })
    .from(webhook_endpoints)
    .leftJoin(page, sql`true`)
    .leftJoin(webhook_deliveries, and(eq(endpoint_id, page.endpoint_id), eq(event_id, page.event_id)))
    .where(eq(webhook_endpoints.id, endpointId))
    .orderBy(asc(page.event_id)),
)

/** Lists deliveries in the order of their events. Throws the errors of the authorization and `not_found`. */
export async function listDeliveries(
  db: Db,
  context: RequestContext,
  { number, state, limit, after = 0 }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const found = await read(db, context, selectPage({ number, after, state: state ?? null, count: limit + 1 }))
  if (found.length === 0) throw new DomainError('not_found', {})
  const rows = found.flatMap(toSearched)
  const last = rows.at(-1)
  // The last delivery that may be searched marks the end of the search, even if it matches and is on the page itself.
  if (last?.is_end === 1 && rows.length <= limit) rows.push({ ...last, matches: 0 })
  return searchedPageOf(rows, limit, (row) => numberOf(row.event_id))
}

/** An empty list for the row of nulls. */
function toSearched(row: RowOf<typeof selectPage>) {
  const { event_id, state, attempts, matches } = row
  return event_id === null || state === null || attempts === null || matches === null
    ? []
    : [{ ...row, event_id, state, attempts, matches }]
}

/**
 * The endpoints with events after their cursor, with a delivery that has been due for a while, or with a lease that has
 * expired: a message was lost, or the process died. What is in flight is left alone. An endpoint costs its row and one row
 * for each of the three, however many deliveries wait.
 */
export async function listNeglected(db: Db, now: number): Promise<number[]> {
  const { rows } = await batch(db, { rows: selectNeglected({}) }, { retry: 'only reads', shared: { now } })
  return rows.map(({ id }) => id)
}

const selectNeglected = statement({}, () => {
  const { id, cursor, ahead_ms, disabled_at } = webhook_endpoints
  const { next_attempt_at } = webhook_deliveries
  const isOfEndpoint = eq(endpoint_id, id)
  const newEvent = orm
    .select({ id: events.id })
    .from(events)
    .where(isOfStore(events.id, storeIn(id), numberIn(cursor)))
  const overdue = orm
    .select({ event_id })
    .from(webhook_deliveries)
    .where(
      and(
        isOfEndpoint,
        isNull(lease),
        lte(next_attempt_at, sql`${contextParams.now} - ${WEBHOOK.graceMs} + ${ahead_ms}`),
      ),
    )
  const expired = orm
    .select({ event_id })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isNotNull(lease), lte(next_attempt_at, contextParams.now)))
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(and(isNull(disabled_at), or(exists(newEvent), exists(overdue), exists(expired))))
})

/** Deletes the deliveries of endpoints and events that no longer exist, and returns their number. */
export function purgeDeliveries(db: Db): Promise<number> {
  return deleteInChunks(db, (limit) => deleteOrphans({ chunk: limit }))
}

const purgeParams = params('chunk')

/**
 * The endpoints that have deliveries. Each step of the recursion finds the next id in the primary key and reads one row, so
 * the purge reads what it deletes and little more.
 */
const known = { id: sql`known.id` }

const deleteOrphans = statement(purgeParams, () => {
  const first = orm.select({ id: min(endpoint_id) }).from(webhook_deliveries)
  const following = orm
    .select({ id: min(endpoint_id) })
    .from(webhook_deliveries)
    .where(gt(endpoint_id, known.id))
  const endpoints = sql`(with recursive known(id) as (select ${first} union all
    select ${following} from known where ${known.id} is not null) select ${known.id} from known) known`
  const orphan = alias(webhook_deliveries, 'orphan')
  const oldestEvent = orm
    .select({ id: min(events.id) })
    .from(events)
    .where(isOfStore(events.id, storeIn(webhook_endpoints.id)))
  // The deliveries of an endpoint before this event are deleted: all of them if the endpoint no longer exists.
  const end = sql`iif(${webhook_endpoints.id} is null, ${Number.MAX_SAFE_INTEGER}, ${oldestEvent})`
  const orphans = orm
    .select({ endpoint_id: orphan.endpoint_id, event_id: orphan.event_id })
    .from(endpoints)
    .leftJoin(webhook_endpoints, eq(webhook_endpoints.id, known.id))
    // SQLite keeps the order of a cross join. In another order it would read every delivery.
    .crossJoin(orphan)
    .where(and(eq(orphan.endpoint_id, known.id), lt(orphan.event_id, end)))
    .limit(limitOf(purgeParams.chunk))
  return orm
    .delete(webhook_deliveries)
    .where(sql`(${endpoint_id}, ${event_id}) in ${orphans}`)
    .returning({ event_id })
})
