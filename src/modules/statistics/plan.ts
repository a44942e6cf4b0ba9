/**
 * What the job that counts has to do, and these plans in SQL, where they are bound as one JSON list. A plan names events as a
 * range of a bounded length, so that no store holds up another one.
 */
import { and, asc, eq, exists, gt, gte, isNotNull, isNull, lt, lte, min, or, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { idIn, NO_NUMBER, numberOf, storeIn, storeRowIdIn } from '../../db/ids.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { store_stats } from '../../db/schema/jobs.ts'
import { events, stores } from '../../db/schema/stores.ts'
import { named, orm, params, statement } from '../../db/statement.ts'
import { STATS } from './limits.ts'
import { isOpen } from '../accesses/access-record.ts'
import { contextParams } from '../../change/request.ts'
import { newestEventOf } from '../../change/event.ts'
import type { Totals } from './rows.ts'

/** The work on one store. Ids are numbers within the store, because a plan is sent as JSON. */
interface Plan {
  store: number
  /** The events after this one, up to `until`. The plan is void once another batch has moved the cursor or counted. */
  cursor: number
  until: number
  counted_at: number
  /** True if there are no more events, so that the totals are counted. */
  isLast: boolean
}

interface Run {
  now: number
  /** Stores with a greater number are examined. */
  afterStore: number
}

/** The plans for the next stores with work, in the order of their numbers. */
export async function planCounts(db: Db, { now, afterStore }: Run): Promise<Plan[]> {
  const step = selectStoresWithWork({ after_store: afterStore })
  const { found } = await batch(db, { found: step }, { retry: 'only reads', shared: { now } })
  const share = Math.ceil(STATS.events / Math.max(1, found.length))
  return found.map(({ store, counted_at, first_event, newest_event, ...row }) => {
    const [cursor, newest] = [numberOf(row.cursor), numberOf(newest_event)]
    const until = first_event === null ? cursor : Math.min(newest, numberOf(first_event) + share - 1)
    return { store, cursor, until, counted_at, isLast: first_event === null || until === newest }
  })
}

const listParams = params('after_store')

/** The accesses that have not expired yet. Only a query with each of these conditions uses their index. */
export const hasNotExpired = () =>
  and(isOpen(product_accesses.status), isNotNull(product_accesses.access_due_date), isNull(product_accesses.expired_at))

/** When a store may be counted again: a count takes at most a hundredth of the time. */
const NEXT_COUNT_AT = sql<number>`${store_stats.counted_at} + ${STATS.restFactor} * ${store_stats.count_ms}`

/** A store has work if there are new events, or if an access has ended or come within seven days of its end since then. */
const selectStoresWithWork = statement(listParams, () => {
  const number = storeIn(stores.id)
  const cursor = sql<number>`coalesce(${store_stats.cursor}, ${number} << 32)`
  const { now } = contextParams
  const { counted_at } = store_stats
  const firstEvent = orm
    .select({ id: min(events.id) })
    .from(events)
    .where(and(gt(events.id, cursor), sql`${events.id} < (${number} + 1) << 32`))
  const { id, store, access_due_date } = product_accesses
  const hasOpen = (condition: SQL | undefined) =>
    exists(
      orm
        .select({ id })
        .from(product_accesses)
        .where(and(eq(store, number), hasNotExpired(), condition)),
    )
  const hasEnded = hasOpen(and(gte(access_due_date, counted_at), lt(access_due_date, now)))
  const isEnding = hasOpen(
    and(
      gt(access_due_date, sql`${counted_at} + ${STATS.endingMs}`),
      lte(access_due_date, sql`${now} + ${STATS.endingMs}`),
    ),
  )
  return orm
    .select(
      named({
        store: number,
        counted_at: sql<number>`coalesce(${counted_at}, 0)`,
        cursor,
        first_event: sql<number | null>`${firstEvent}`,
        newest_event: sql<number>`${newestEventOf(number)}`,
      }),
    )
    .from(stores)
    .leftJoin(store_stats, eq(store_stats.id, stores.id))
    .where(
      and(
        gt(stores.id, idIn(listParams.after_store, NO_NUMBER)),
        or(isNull(counted_at), lte(NEXT_COUNT_AT, now)),
        or(isNotNull(sql`${firstEvent}`), hasEnded, isEnding),
      ),
    )
    .orderBy(asc(stores.id))
    .limit(STATS.stores)
})

export const planParams = params('plans')

/** A field of the plan of a store, or null if its totals are not counted. */
export function planned(field: Exclude<keyof Plan, 'isLast'> | keyof Totals): SQL<number> {
  return sql<number>`(plan.value ->> ${field})`
}

export const planList = sql`json_each(${planParams.plans}) plan`

/** The id in the store of the plan whose number is this field. */
export function plannedId(field: 'cursor' | 'until'): SQL<number> {
  return idIn(planned('store'), planned(field))
}

/** True if nobody has counted the store since the plan was made. */
export const isCurrentPlan = () =>
  and(
    eq(store_stats.id, storeRowIdIn(planned('store'))),
    eq(store_stats.cursor, plannedId('cursor')),
    eq(store_stats.counted_at, planned('counted_at')),
  )

export const isPlannedEvent = () => and(gt(events.id, plannedId('cursor')), lte(events.id, plannedId('until')))
