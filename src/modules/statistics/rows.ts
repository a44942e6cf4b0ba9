/**
 * Counts the users and accesses of stores, in chunks. After each chunk the job pauses, because requests wait while the
 * database counts.
 */
import { and, gt, lt, max, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { numberOf, storeIn, storeOf } from '../../db/ids.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { users } from '../../db/schema/stores.ts'
import { named, orm, params, statement } from '../../db/statement.ts'
import { STATS } from './limits.ts'
import { leaveRoom } from '../../lib/pause.ts'
import { isInForce } from '../accesses/access-record.ts'
import { contextParams } from '../../change/request.ts'

export interface Totals {
  users: number
  accesses: number
  in_force: number
  ending: number
  /** How long counting took. */
  count_ms: number
  /** The time for which the store was counted. */
  count_at: number
}

/** The accesses to a product, with the numbers of its store and its own. */
type ProductTotals = [store: number, number: number, accesses: number, in_force: number]

/** A change that is made meanwhile may be counted or not: its event is after the cursor, so the store is counted again. */
export async function countRows(db: Db, stores: number[], now: number) {
  const totals = new Map<number, Totals>()
  for (const store of stores)
    totals.set(store, { users: 0, accesses: 0, in_force: 0, ending: 0, count_ms: 0, count_at: now })
  const products = new Map<number, ProductTotals>()
  let count_ms = 0
  let afterUser: number | null = 0
  let afterAccess: number | null = 0
  while (stores.length > 0 && (afterUser !== null || afterAccess !== null)) {
    const begin = Date.now()
    const counted_stores = JSON.stringify(stores)
    const { ofUsers, ofAccesses } = await batch(
      db,
      {
        ofUsers: afterUser === null ? undefined : selectUsers({ counted_stores, after_id: afterUser }),
        ofAccesses: afterAccess === null ? undefined : selectAccesses({ counted_stores, after_id: afterAccess }),
      },
      { retry: 'only reads', shared: { now } },
    )
    for (const { store, count } of ofUsers) {
      const total = totals.get(store)
      if (total) total.users += count
    }
    for (const { product_id, accesses, in_force, ending } of ofAccesses) {
      const store = storeOf(product_id)
      const total = totals.get(store)
      if (total === undefined) continue
      total.accesses += accesses
      total.in_force += in_force
      total.ending += ending
      const [, , known, knownInForce] = products.get(product_id) ?? [0, 0, 0, 0]
      products.set(product_id, [store, numberOf(product_id), known + accesses, knownInForce + in_force])
    }
    afterUser = lastOf(ofUsers)
    afterAccess = lastOf(ofAccesses.map(({ accesses, last }) => ({ count: accesses, last })))
    count_ms += Date.now() - begin
    if (afterUser !== null || afterAccess !== null) await leaveRoom(begin)
  }
  for (const total of totals.values()) total.count_ms = count_ms
  return { totals, products: [...products.values()] }
}

/** The last record of a chunk; null if it was the last chunk. */
function lastOf(groups: { count: number; last: number }[]): number | null {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return count < STATS.rows ? null : Math.max(...groups.map(({ last }) => last))
}

const chunkParams = params('counted_stores', 'after_id')

const storeList = sql`json_each(${chunkParams.counted_stores}) counted_store`

/**
 * The next records of the stores, in the order of their ids: both loops run in it. With a second lower bound, SQLite might
 * read each store from its beginning.
 */
function isInChunk(id: SQLiteColumn): SQL | undefined {
  const store = sql`counted_store.value`
  return and(gt(id, sql`max(${store} << 32, ${chunkParams.after_id})`), lt(id, sql`(${store} + 1) << 32`))
}

const selectUsers = statement(chunkParams, () => {
  const chunk = orm
    .select({ id: sql<number>`${users.id}`.as('user_id') })
    .from(storeList)
    .crossJoin(users)
    .where(isInChunk(users.id))
    .limit(STATS.rows)
    .as('chunk')
  const store = storeIn(chunk.id)
  return orm
    .select(named({ store, count: sql<number>`count(*)`, last: sql<number>`${max(chunk.id)}` }))
    .from(chunk)
    .groupBy(store)
})

const selectAccesses = statement(chunkParams, () => {
  const { id, product_id, access_due_date } = product_accesses
  const inForce = isInForce(product_accesses, contextParams.now)
  const chunk = orm
    .select({
      id: sql<number>`${id}`.as('access_id'),
      product_id: sql<number>`${product_id}`.as('of_product'),
      in_force: inForce.as('is_in_force'),
      ending: sql`(${inForce} and ${access_due_date} <= ${contextParams.now} + ${STATS.endingMs})`.as('is_ending'),
    })
    .from(storeList)
    .crossJoin(product_accesses)
    .where(isInChunk(id))
    .limit(STATS.rows)
    .as('chunk')
  return orm
    .select(
      named({
        product_id: sql<number>`${chunk.product_id}`,
        accesses: sql<number>`count(*)`,
        in_force: sql<number>`count(*) filter (where ${chunk.in_force})`,
        ending: sql<number>`count(*) filter (where ${chunk.ending})`,
        last: sql<number>`${max(chunk.id)}`,
      }),
    )
    .from(chunk)
    .groupBy(sql`${chunk.product_id}`)
})
