/**
 * What the job that counts has to do: for some stores, the events after the cursor, the accesses that now end within
 * seven days, and the next records of a recount. A plan names these as ranges, each of a bounded length, so that no store
 * holds up another one.
 */
import { and, asc, eq, exists, gt, isNotNull, isNull, lte, max, min, or, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { idIn, NO_NUMBER, numberIn, numberOf, storeIn } from '../../db/ids.ts'
import { events, product_accesses, store_stats, stores, users } from '../../db/schema.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { STATS } from '../../limits.ts'
import { isOpen } from '../accesses/product-accesses.ts'
import { contextParams } from '../change/context.ts'
import { newestEventOf } from '../change/event.ts'

/**
 * The work on one store. Ids are numbers within the store, because a plan is sent as JSON. Each range begins after its
 * first bound and includes the second one.
 */
export interface Plan {
  store: number
  /** The plan is void once another batch has counted this store. */
  version: number
  /** The time for which accesses are counted. It never goes back, even if an earlier run is late. */
  now: number
  cursor: number
  until: number
  ending_due: number
  ending_id: number
  ending_until_due: number
  ending_until_id: number
  recount_user: number
  recount_user_end: number
  recount_access: number
  recount_access_end: number
  /** 1 if the recount has reached its end, so that its totals replace the others. */
  ends_recount: 0 | 1
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
  return found.map((row) => planOf(row, share))
}

function planOf(row: RowOf<typeof selectStoresWithWork>, share: number): Plan {
  const { store, version, now, first_event, newest_event } = row
  const cursor = numberOf(row.cursor)
  const until = first_event === null ? cursor : Math.min(numberOf(newest_event), numberOf(first_event) + share - 1)
  const [ending_until_due = now + STATS.endingMs, ending_until_id = NO_NUMBER]: number[] = JSON.parse(
    row.ending_until ?? '[]',
  )
  const recount_user = numberOf(row.recount_user ?? 0)
  const recount_access = numberOf(row.recount_access ?? 0)
  const recount_user_end = numberOf(row.recount_user_end ?? recount_user)
  const recount_access_end = numberOf(row.recount_access_end ?? recount_access)
  const isAtEnd = recount_user_end === recount_user && recount_access_end === recount_access
  return {
    store,
    version,
    now,
    cursor,
    until,
    ending_due: row.ending_due,
    ending_id: numberOf(row.ending_id),
    ending_until_due,
    ending_until_id,
    recount_user,
    recount_user_end,
    recount_access,
    recount_access_end,
    ends_recount: row.recount_user !== null && isAtEnd ? 1 : 0,
  }
}

const listParams = params('after_store')

/** The index of accesses that have not expired yet is used only by a query with each of these conditions. */
export const hasNotExpired = () =>
  and(isOpen(product_accesses.status), isNotNull(product_accesses.access_due_date), isNull(product_accesses.expired_at))

/** A store costs its rows, and one row each for the event, the access and the recount that may be next. */
const selectStoresWithWork = statement(listParams, () => {
  const number = storeIn(stores.id)
  const cursor = sql<number>`coalesce(${store_stats.cursor}, ${number} << 32)`
  const now = sql<number>`max(${contextParams.now}, coalesce(${store_stats.counted_at}, 0))`
  const firstEvent = orm
    .select({ id: min(events.id) })
    .from(events)
    .where(and(gt(events.id, cursor), sql`${events.id} < (${number} + 1) << 32`))
  const ends = sql<number>`${now} + ${STATS.endingMs}`
  const { access_due_date, id } = product_accesses
  const isOpen = and(eq(product_accesses.store, number), hasNotExpired())
  // Thousands of accesses may end at the same time, so those with the date that was reached are a range of their own.
  const withSameDate = and(isOpen, eq(access_due_date, store_stats.ending_due), gt(id, store_stats.ending_id))
  const later = and(isOpen, gt(access_due_date, store_stats.ending_due), lte(access_due_date, ends))
  const accessesWhere = (condition: SQL | undefined) => orm.select({ id }).from(product_accesses).where(condition)
  const lastOfChunk = (condition: SQL | undefined) =>
    orm
      .select({ key: sql`json_array(${access_due_date}, ${numberIn(id)})` })
      .from(product_accesses)
      .where(condition)
      .orderBy(asc(access_due_date), asc(id))
      .limit(1)
      .offset(STATS.ending - 1)
  const hasSameDate = exists(accessesWhere(withSameDate))
  const endOfDate = sql`iif(${hasSameDate}, json_array(${store_stats.ending_due}, ${NO_NUMBER}), null)`
  const endingUntil = sql<string | null>`coalesce(${lastOfChunk(withSameDate)}, ${endOfDate}, ${lastOfChunk(later)})`
  const isRecountDue = lte(store_stats.recounted_at, sql`${now} - ${STATS.recountEveryMs}`)
  return orm
    .select(
      named({
        store: number,
        version: sql<number>`coalesce(${store_stats.version}, 0)`,
        now,
        cursor,
        first_event: sql<number | null>`${firstEvent}`,
        newest_event: sql<number>`${newestEventOf(number)}`,
        ending_due: sql<number>`coalesce(${store_stats.ending_due}, ${ends})`,
        ending_id: sql<number>`coalesce(${store_stats.ending_id}, ${NO_NUMBER})`,
        ending_until: endingUntil,
        recount_user: store_stats.recount_user,
        recount_user_end: endOfChunk(users, store_stats.recount_user),
        recount_access: store_stats.recount_access,
        recount_access_end: endOfChunk(product_accesses, store_stats.recount_access),
      }),
    )
    .from(stores)
    .leftJoin(store_stats, eq(store_stats.id, stores.id))
    .where(
      and(
        gt(stores.id, idIn(listParams.after_store, NO_NUMBER)),
        or(
          isNotNull(sql`${firstEvent}`),
          hasSameDate,
          exists(accessesWhere(later)),
          isNotNull(store_stats.recount_user),
          isRecountDue,
        ),
      ),
    )
    .orderBy(asc(stores.id))
    .limit(STATS.stores)
})

/** The last of the next records that a recount counts. Records after the cursor are counted with their events. */
function endOfChunk(table: typeof users | typeof product_accesses, after: SQLiteColumn) {
  const record = alias(table, 'record')
  const chunk = orm
    .select({ id: record.id })
    .from(record)
    .where(and(gt(record.id, after), lte(record.id, store_stats.cursor)))
    .orderBy(asc(record.id))
    .limit(STATS.recount)
    .as('chunk')
  const last = orm.select({ id: max(chunk.id) }).from(chunk)
  return sql<number | null>`${last}`
}
