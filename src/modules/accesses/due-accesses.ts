/**
 * The accesses to announce (src/modules/accesses/expiry.ts): which are due, the stores that have some, and those of a chunk.
 */
import { and, asc, eq, exists, gt, gte, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { idIn, isOfStore, NO_NUMBER, storeIn, storeRowIdIn } from '../../db/ids.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { stores, webhook_endpoints } from '../../db/schema/stores.ts'
import { limitOf, named, orm, params, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { EXPIRY } from './limits.ts'
import { contextParams } from '../../change/request.ts'
import { isWoken } from '../../change/commit.ts'
import { isOpen } from './access-record.ts'

const storeParams = params('after_store')

/** The numbers of the stores of a chunk, and how many accesses each of them may have in it. */
export const chunkParams = params('due_stores', 'share')

const due = alias(product_accesses, 'due')

/** The index of accesses to announce is used only by a query with each of these conditions. */
const hasDueDate = () => and(isOpen(due.status), isNotNull(due.access_due_date))

export const isExpired = () =>
  and(
    eq(due.store, storeIn(stores.id)),
    hasDueDate(),
    isNull(due.expired_at),
    lt(due.access_due_date, contextParams.now),
  )

/** The accesses of the store that end within its notice period. */
export const isExpiring = () =>
  and(
    gt(stores.expiry_notice_days, 0),
    eq(due.store, storeIn(stores.id)),
    hasDueDate(),
    isNull(due.notified_at),
    gte(due.access_due_date, contextParams.now),
    lte(due.access_due_date, sql`${contextParams.now} + ${stores.expiry_notice_days} * ${DAY_MS}`),
  )

/** The next stores with accesses to announce. A store without any costs its row and a look at the index. */
export function dueStores(isDue: () => SQL | undefined) {
  return statement(storeParams, () =>
    orm
      .select({ store: storeIn(stores.id).as('store') })
      .from(stores)
      .where(
        and(
          gt(stores.id, idIn(storeParams.after_store, NO_NUMBER)),
          exists(orm.select({ id: due.id }).from(due).where(isDue())),
        ),
      )
      .orderBy(asc(stores.id))
      .limit(EXPIRY.stores),
  )
}

/** The accesses of a chunk: of each of its stores those that are due first, up to its share. */
export function candidatesOf(isDue: () => SQL | undefined) {
  const { id, store, user_id, product_id, event_id } = product_accesses
  const ofStore = orm
    .select({ id: due.id })
    .from(due)
    .where(isDue())
    .orderBy(asc(due.access_due_date), asc(due.id))
    .limit(limitOf(chunkParams.share))
  return orm
    .select({ id, store, user_id, product_id, event_id })
    .from(sql`json_each(${chunkParams.due_stores}) due_store`)
    .crossJoin(stores)
    .crossJoin(product_accesses)
    .where(and(eq(stores.id, storeRowIdIn(sql`due_store.value`)), inArray(id, ofStore)))
    .as('candidates')
}

type Candidates = ReturnType<typeof candidatesOf>

/** The candidates, each with its position among those of its store: the order of their events. */
export function chunkOf(candidates: Candidates) {
  return orm
    .select(
      named({
        id: candidates.id,
        store: candidates.store,
        user_id: candidates.user_id,
        product_id: candidates.product_id,
        event_id: candidates.event_id,
        position: sql<number>`row_number() over (partition by ${candidates.store} order by ${candidates.id})`,
        count_of_store: sql<number>`count(*) over (partition by ${candidates.store})`,
      }),
    )
    .from(candidates)
    .as('chunk')
}

/** The number of accesses in the chunk, and the webhook endpoints of their stores. */
export function selectFound(chunk: ReturnType<typeof chunkOf>) {
  const storesOfChunk = orm.selectDistinct({ store: chunk.store }).from(chunk).as('stores_of_chunk')
  const endpoints = orm
    .select({ ids: sql`json_group_array(${webhook_endpoints.id})` })
    .from(storesOfChunk)
    .innerJoin(webhook_endpoints, isOfStore(webhook_endpoints.id, storesOfChunk.store))
    .where(isWoken)
  return orm.select(named({ count: sql<number>`count(*)`, endpoints: sql<string>`${endpoints}` })).from(chunk)
}
