/**
 * What happened. Each change writes its event in its own batch and under the same guard, so neither exists without
 * the other. Where the batch may be sent again after a lost answer, the event comes first: what has happened already
 * then fails the guard, and no second event is written.
 */
import { and, asc, eq, getTableColumns, gt, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../context.ts'
import { type Bound, type Db, query, run } from '../db/client.ts'
import { access_tokens, type Event, events } from '../db/schema.ts'
import { DAY_MS } from '../limits.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'
import { deleteInChunks } from './purge.ts'

export const EVENT_TYPES = [
  'user.created',
  'product_access.granted',
  'product_access.updated',
  'product_access.progressed',
  'access_token.created',
  'access_token.revoked',
  'webhook_endpoint.disabled',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The request that changes something, and whose it is: an access token's, or else the operator's. */
export interface Cause {
  request_id: string
  now: number
  principal: Principal | undefined
}

export type Value = SQL | Placeholder | string | number | null

interface NewEvent {
  type: EventType
  store_id: Value
  user_id?: Value
  product_id?: Value
  product_access_id?: Value
  access_token_id?: Value
  webhook_endpoint_id?: Value
  changes?: SQL
  /** Placeholders, to be filled with `causeValues`, when left out. */
  cause?: Record<'request_id' | 'now' | 'token_id', Value>
}

const CAUSE = {
  now: sql.placeholder('now'),
  request_id: sql.placeholder('request_id'),
  token_id: sql.placeholder('token_id'),
}

/** What `insert into events select` selects: the columns in the order of the table. */
export function eventColumns(event: NewEvent): SQL {
  const { user_id = null, product_id = null, product_access_id = null } = event
  const { access_token_id = null, webhook_endpoint_id = null, changes = null, cause = CAUSE } = event
  return sql`null, ${event.store_id}, ${event.type}, ${cause.now}, ${cause.request_id}, ${cause.token_id}, ${user_id},
    ${product_id}, ${product_access_id}, ${access_token_id}, ${webhook_endpoint_id}, ${changes}`
}

export function causeValues({ request_id, now, principal }: Cause) {
  return { request_id, now, token_id: principal?.token_id ?? null }
}

/** An event with the name of the token that caused it. */
export type EventRecord = Event & { token_name: string | null }

export interface EventFilter extends PageRequest<number> {
  store_id: string
  type?: EventType | undefined
  user_id?: number | undefined
  product_access_id?: number | undefined
  /** Sent along with the query. */
  writes?: Bound<unknown>[]
}

/** Asks the primary: a replica that lags behind would answer an end that is none. */
export async function listEvents(db: Db, filter: EventFilter): Promise<Page<EventRecord>> {
  const { store_id, type, user_id, product_access_id, writes = [], limit, after = 0 } = filter
  const select = selectEvents(db)
    .where(
      and(
        eq(events.store_id, store_id),
        gt(events.id, after),
        type === undefined ? undefined : eq(events.type, type),
        user_id === undefined ? undefined : eq(events.user_id, user_id),
        product_access_id === undefined ? undefined : eq(events.product_access_id, product_access_id),
      ),
    )
    .orderBy(asc(events.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)], { writes, retry: true })
  return pageOf(rows, limit, (row) => row.id)
}

export function selectEvents({ orm }: Db) {
  return orm
    .select({
      ...getTableColumns(events),
      token_name: sql<string | null>`${access_tokens.name}`.as('token_name'),
    })
    .from(events)
    .leftJoin(access_tokens, eq(access_tokens.id, events.token_id))
}

/**
 * Deletes the events that are older than so many days, never the newest one. What is left is the end of the history:
 * a chunk ends at the first young event, or after as many ids, so that it reads as many rows as it deletes.
 */
export function purgeEvents(db: Db, { days, now }: { days: number; now: number }): Promise<number> {
  return deleteInChunks(db, (limit) => {
    const end = sql`coalesce((select e.id from ${events} e where e.created_at >= ${now - days * DAY_MS}
      or e.id >= (select min(o.id) from ${events} o) + ${limit} order by e.id limit 1),
      (select max(n.id) from ${events} n))`
    return query(db.orm.delete(events).where(lt(events.id, end)).returning({ id: events.id }))
  })
}
