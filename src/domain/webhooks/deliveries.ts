import { type Placeholder, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberIn, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { SCAN_LIMIT, WEBHOOK } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { refusal } from '../errors.ts'
import { type Page, type PageRequest, searchedPageOf } from '../pages.ts'
import { deleteInChunks } from '../purge.ts'
import { read } from '../change/read.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

type DeliveryState = (typeof DELIVERY_STATES)[number]

/** As it is shown. */
export interface DeliveryRecord {
  event_id: number
  state: string
  attempts: number
  last_status: number | null
  last_attempt_at: number | null
  next_attempt_at: number | null
}

/**
 * A delivery's columns as they are shown, with the true time of its next attempt: what is overdue is tried at once,
 * what is under way has been since then, and for a disabled endpoint nothing is tried.
 */
export function deliveryColumns(now: Placeholder) {
  const { event_id, state, attempts, last_status, last_attempt_at, lease, next_attempt_at } = webhook_deliveries
  const { ahead_ms, disabled_at } = webhook_endpoints
  const next = sql`case when ${disabled_at} is not null or ${next_attempt_at} is null then null
    when ${lease} is null then max(${now}, ${next_attempt_at} - ${ahead_ms})
    when ${next_attempt_at} > ${now} then ${next_attempt_at} - ${WEBHOOK.leaseMs}
    else ${now} end`
  return {
    event_id,
    state,
    attempts,
    last_status,
    last_attempt_at,
    next_attempt_at: sql<number | null>`${next}`.as('next_attempt_at'),
  }
}

interface DeliveryFilter extends PageRequest<number> {
  /** The number of the endpoint. */
  number: number
  state?: DeliveryState | undefined
}

type Values = CallValues & { number: number; after: number; state: string | null; count: number }

/** No state has an index: a page searches a window of deliveries at most. An endpoint without any is a row of nulls. */
const selectPage = statement((p: Params<Values>, orm) => {
  const window = sql`select event_id, endpoint_id, (${p.state} is null or state = ${p.state}) as matches,
      row_number() over (order by event_id) as place from (
    select event_id, endpoint_id, state from ${webhook_deliveries}
    where endpoint_id = ${idIn(p.store, p.number)} and event_id > ${idIn(p.store, p.after)}
    order by event_id limit iif(${p.state} is null, ${p.count}, ${literal(SCAN_LIMIT)}))`
  const found = sql`(select event_id, endpoint_id, matches, place = ${literal(SCAN_LIMIT)} as is_last
    from (${window}) where matches or place = ${literal(SCAN_LIMIT)} order by event_id limit ${p.count}) w`
  return orm
    .select({
      ...deliveryColumns(p.now),
      matches: sql<0 | 1>`w.matches`.as('matches'),
      is_last: sql<0 | 1>`w.is_last`.as('is_last'),
    })
    .from(webhook_endpoints)
    .leftJoin(found, sql`true`)
    .leftJoin(
      webhook_deliveries,
      sql`${webhook_deliveries.endpoint_id} = w.endpoint_id and ${webhook_deliveries.event_id} = w.event_id`,
    )
    .where(sql`${webhook_endpoints.id} = ${idIn(p.store, p.number)}`)
    .orderBy(sql`w.event_id`)
})

/** In the order of the events. Throws `not_found` for an endpoint that is not there. */
export async function listDeliveries(
  db: Db,
  call: Call,
  { number, state, limit, after = 0 }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const values = { ...callValues(call), number, after, state: state ?? null, count: limit + 1 }
  const found = await read(db, call, selectPage(values))
  if (found.length === 0) throw refusal('not_found')
  const rows = found.flatMap(deliveryIn)
  const last = rows.at(-1)
  // The last that was searched marks the end of that, also where it is of the page itself.
  if (last?.is_last === 1 && rows.length <= limit) rows.push({ ...last, matches: 0 })
  return searchedPageOf(rows, limit, (row) => numberOf(row.event_id))
}

function deliveryIn(row: RowOf<typeof selectPage>) {
  const { event_id, state, attempts } = row
  return event_id === null || state === null || attempts === null ? [] : [{ ...row, event_id, state, attempts }]
}

/**
 * The endpoints that are not looked after: with events behind their cursor, a delivery that has been due for a while,
 * or a lease that has ended without an outcome. All come from a message or a process that was lost; what is merely
 * under way is left alone. Each endpoint costs its row and one of each of these, however much waits.
 */
export async function listNeglected(db: Db, now: number): Promise<number[]> {
  const { rows } = await batch(db, { rows: selectNeglected({ now }) }, { retry: 'it only reads' })
  return rows.map(({ id }) => id)
}

const selectNeglected = statement((p: Params<{ now: number }>, orm) => {
  const { id, cursor, ahead_ms, disabled_at } = webhook_endpoints
  const behind = sql`exists (select 1 from ${events} e
    where ${isOfStore(sql`e.id`, sql`(${id} >> 32)`, numberIn(sql`${cursor}`))})`
  const overdue = sql`exists (select 1 from ${webhook_deliveries} d where d.endpoint_id = ${id} and d.lease is null
    and d.next_attempt_at <= ${p.now} - ${WEBHOOK.graceMs} + ${ahead_ms})`
  const lost = sql`exists (select 1 from ${webhook_deliveries} d where d.endpoint_id = ${id} and d.lease is not null
    and d.next_attempt_at <= ${p.now})`
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(sql`${disabled_at} is null and (${behind} or ${overdue} or ${lost})`)
})

/**
 * Deletes the deliveries of endpoints that are no more, and of events that are no longer kept. Steps from endpoint to
 * endpoint, so that it reads what it deletes and little else.
 */
export function purgeDeliveries(db: Db): Promise<number> {
  return deleteInChunks(db, (limit) => deleteOrphans({ limit }))
}

const deleteOrphans = statement((p: Params<{ limit: number }>, orm) => {
  const { endpoint_id, event_id } = webhook_deliveries
  const endpoints = sql`with recursive known(id) as (select min(endpoint_id) from ${webhook_deliveries} union all
    select (select min(d.endpoint_id) from ${webhook_deliveries} d where d.endpoint_id > known.id) from known
    where known.id is not null)`
  const oldest = sql`(select min(e.id) from ${events} e where ${isOfStore(sql`e.id`, sql`(w.id >> 32)`)})`
  return orm
    .delete(webhook_deliveries)
    .where(
      sql`(${endpoint_id}, ${event_id}) in (${endpoints} select o.endpoint_id, o.event_id
        from known left join ${webhook_endpoints} w on w.id = known.id
        cross join ${webhook_deliveries} o on o.endpoint_id = known.id
          and o.event_id < iif(w.id is null, ${literal(Number.MAX_SAFE_INTEGER)}, ${oldest})
        limit ${p.limit})`,
    )
    .returning({ event_id })
})
