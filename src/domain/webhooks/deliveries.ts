/** Deliveries as operators see them. Sending starts in jobs/deliver.ts. */
import { and, asc, desc, eq, gt, lt, min, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, NO_NUMBER, numberOf } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { limitOf, named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { storeNumber } from '../change/authorize.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { read } from '../change/read.ts'
import { DomainError } from '../errors.ts'
import { type Order, type Page, pageParams, type PageRequest, searchedPageOf } from '../pages.ts'
import { isResumed } from './pending-deliveries.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A delivery as the API shows it. */
export interface DeliveryRecord {
  event_id: number
  /** The type of the event. */
  type: string
  state: string
  attempts: number
  last_status: number | null
  last_attempt_at: number | null
  next_attempt_at: number | null
}

const { endpoint_id, event_id, state, attempts, last_status, last_attempt_at, leased_until, next_attempt_at } =
  webhook_deliveries

/**
 * The time of the next attempt: the time of the claim for a delivery that is in flight, now for one that is overdue, has
 * resumed or whose lease has ended, and null if it waits for an endpoint that is disabled or down.
 */
const nextAttempt = sql<number | null>`case
  when ${webhook_endpoints.disabled_at} is not null or ${next_attempt_at} is null then null
  when ${leased_until} > ${contextParams.now} then ${next_attempt_at}
  when ${webhook_endpoints.probe_at} is not null then null
  when ${isResumed} then ${contextParams.now}
  else max(${contextParams.now}, ${next_attempt_at}) end`

/** The columns of `DeliveryRecord`, to be selected from deliveries joined with their endpoint and their event. */
export function deliveryColumns() {
  return {
    event_id,
    type: events.type,
    state,
    attempts,
    last_status,
    last_attempt_at,
    next_attempt_at: nextAttempt.as('next_attempt_at'),
  }
}

interface DeliveryFilter extends PageRequest<number> {
  /** The number of the endpoint. */
  number: number
  state?: DeliveryState | undefined
  /** By the event; the newest first if this is undefined. */
  order?: Order | undefined
}

const listParams = { ...pageParams, ...params('number', 'state') }

const endpointId = idIn(storeNumber, listParams.number)

/** The state has no index, so a page with a filter searches a limited number of deliveries. */
const searchLimit = sql`iif(${listParams.state} is null, ${listParams.count}, ${SCAN_LIMIT})`

/**
 * The id before that of the store's oldest event. The deliveries up to here will be purged as their events were: if they
 * were on the first page, it could have room for no other, and seem to be the last one.
 */
const beforeOldest = sql`(${orm
  .select({ id: min(events.id) })
  .from(events)
  .where(isOfStore(events.id, storeNumber))} - 1)`

/** No row if there is no such endpoint. A row of nulls if the endpoint has no deliveries to show. */
function pageIn(order: Order) {
  const by = order === 'asc' ? asc : desc
  const after = idIn(storeNumber, listParams.after)
  const isOnPage = order === 'asc' ? gt(event_id, sql`max(${after}, ${beforeOldest})`) : lt(event_id, after)

  const searched = orm
    .select({ event_id, endpoint_id, state })
    .from(webhook_deliveries)
    .where(and(eq(endpoint_id, endpointId), isOnPage))
    .orderBy(by(event_id))
    .limit(limitOf(searchLimit))
    .as('searched')

  const numbered = orm
    .select(
      named({
        event_id: searched.event_id,
        endpoint_id: searched.endpoint_id,
        matches: sql<0 | 1>`(${listParams.state} is null or ${searched.state} = ${listParams.state})`,
        position: sql<number>`row_number() over (order by ${by(searched.event_id)})`,
      }),
    )
    .from(searched)
    .as('numbered')

  // The deliveries that match, and the last one that may be searched.
  const page = orm
    .select({
      event_id: numbered.event_id,
      endpoint_id: numbered.endpoint_id,
      matches: numbered.matches,
      is_end: sql<0 | 1>`${numbered.position} = ${SCAN_LIMIT}`.as('is_end'),
    })
    .from(numbered)
    .where(or(numbered.matches, eq(numbered.position, SCAN_LIMIT)))
    .orderBy(by(numbered.event_id))
    .limit(limitOf(listParams.count))
    .as('page')

  return orm
    .select({ ...deliveryColumns(), matches: page.matches, is_end: page.is_end })
    .from(webhook_endpoints)
    .leftJoin(page, sql`true`)
    .leftJoin(webhook_deliveries, and(eq(endpoint_id, page.endpoint_id), eq(event_id, page.event_id)))
    .leftJoin(events, eq(events.id, page.event_id))
    .where(eq(webhook_endpoints.id, endpointId))
    .orderBy(by(page.event_id))
}

const selectPage = {
  asc: statement(listParams, () => pageIn('asc')),
  desc: statement(listParams, () => pageIn('desc')),
}

/** Lists deliveries in the order of their events. Throws the errors of the authorization and `not_found`. */
export async function listDeliveries(
  db: Db,
  context: RequestContext,
  { number, state, limit, order = 'desc', after = order === 'asc' ? 0 : NO_NUMBER }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const values = { number, after, state: state ?? null, count: limit + 1 }
  const found = await read(db, context, selectPage[order](values))
  if (found.length === 0) throw new DomainError('not_found', {})
  const rows = found.flatMap(toSearched)
  const last = rows.at(-1)
  // The last delivery that may be searched marks the end of the search, even if it matches and is on the page itself.
  if (last?.is_end === 1 && rows.length <= limit) rows.push({ ...last, matches: 0 })
  return searchedPageOf(rows, limit, (row) => numberOf(row.event_id))
}

/** An empty list for the row of nulls, and for a delivery whose event has been purged: it will be purged as well. */
function toSearched(row: RowOf<typeof selectPage.desc>) {
  const { event_id, type, state, attempts, matches } = row
  return event_id === null || type === null || state === null || attempts === null || matches === null
    ? []
    : [{ ...row, event_id, type, state, attempts, matches }]
}
