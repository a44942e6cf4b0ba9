/**
 * Lists accesses, ordered by id. User and product have an index. Status and due date have none, so a page that filters by
 * them searches a bounded number of accesses, and says where to go on.
 */
import { and, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { product_accesses, products, users } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { contextParams, type RequestContext, storeNumber } from '../../change/request.ts'
import { read } from '../../change/commit.ts'
import {
  followsCursor,
  inBothOrders,
  isAfterCursor,
  found,
  type Order,
  orderBy,
  type Page,
  pageOf,
  pageParams,
  type PageRequest,
  searched,
  searchPage,
  startOf,
} from '../../change/pages.ts'
import { accessColumns, type AccessStatus, isInForce, type ProductAccessRecord } from './access-record.ts'

/** Numbers of records, and times in milliseconds since the epoch. */
interface AccessFilter extends PageRequest<number> {
  user_id?: number | undefined
  product_id?: number | undefined
  status?: AccessStatus | undefined
  /** Whether the status is `with_access` and the due date has not passed. */
  in_force?: boolean | undefined
  /** Inclusive. */
  due_after?: number | undefined
  /** Exclusive. */
  due_before?: number | undefined
  order?: Order | undefined
}

const listParams = { ...pageParams, ...params('user', 'product', 'status', 'in_force', 'due_after', 'due_before') }

const { id, user_id, product_id } = product_accesses

/** The accesses that a page is taken from. Each range has an index. */
const ranges = {
  user: (order: Order) =>
    and(
      eq(user_id, idIn(storeNumber, listParams.user)),
      // With `id` instead of `+id`, SQLite might read the ids of the whole store instead of those of the user.
      followsCursor(order, sql`+${id}`),
      or(isNull(listParams.product), eq(product_id, idIn(storeNumber, listParams.product))),
    ),
  product: (order: Order) => and(eq(product_id, idIn(storeNumber, listParams.product)), followsCursor(order, id)),
  store: (order: Order) => isAfterCursor(order, id),
}

type Range = (order: Order) => SQL | undefined

/** `ids` selects the ids, and whether the access belongs to the page (pages.ts). */
function selectFound(ids: SQL, order: Order) {
  return orm
    .select({ ...accessColumns(), matches: found.matches.as('matches') })
    .from(ids)
    .innerJoin(product_accesses, eq(product_accesses.id, found.id))
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
    .orderBy(orderBy(order, product_accesses.id))
}

/** Selects from a whole range. */
function listOf(range: Range) {
  return inBothOrders((order) =>
    statement(listParams, () => {
      const page = orm
        .select({ id, matches: sql`1`.as('matches') })
        .from(product_accesses)
        .where(range(order))
        .orderBy(orderBy(order, id))
        .limit(limitOf(listParams.count))
      return selectFound(sql`${page} found`, order)
    }),
  )
}

/** How many accesses a search examines. A page that is not full reads them twice: the second time to find the end. */
const SEARCHED = SCAN_LIMIT / 2

/** Selects the accesses that match from the beginning of a range. */
function searchOf(range: Range) {
  return inBothOrders((order) =>
    statement(listParams, () => {
      const { status, in_force, due_after, due_before, count } = listParams
      const matches = and(
        or(isNull(status), eq(product_accesses.status, status)),
        or(isNull(in_force), eq(isInForce(product_accesses, contextParams.now), in_force)),
        or(isNull(due_after), gte(product_accesses.access_due_date, due_after)),
        or(isNull(due_before), lt(product_accesses.access_due_date, due_before)),
      )
      const ids = searched({
        table: product_accesses,
        id,
        range: range(order),
        order: orderBy(order, id),
        matches,
        examined: sql`${SEARCHED}`,
        count,
      })
      return selectFound(ids, order)
    }),
  )
}

const lists = { user: listOf(ranges.user), product: listOf(ranges.product), store: listOf(ranges.store) }

const searches = { user: searchOf(ranges.user), product: searchOf(ranges.product), store: searchOf(ranges.store) }

/** Throws the errors of the authorization. */
export async function listProductAccesses(
  db: Db,
  context: RequestContext,
  { limit, order = 'asc', after = startOf(order), ...filter }: AccessFilter,
): Promise<Page<ProductAccessRecord>> {
  const { user_id: user = null, product_id: product = null, status = null } = filter
  const { due_after = null, due_before = null } = filter
  const in_force = filter.in_force === undefined ? null : Number(filter.in_force)
  const isSearch = [status, in_force, due_after, due_before].some((value) => value !== null)
  const range = user !== null ? 'user' : product !== null ? 'product' : 'store'
  const select = (isSearch ? searches : lists)[range][order]
  const values = { after, count: limit + 1, user, product, status, in_force, due_after, due_before }
  const rows = await read(db, context, select(values))
  // One more match than the page takes: the search has not reached its end.
  if (!isSearch || rows[limit]?.matches === 1) return pageOf(rows, limit, (row) => numberOf(row.id))
  const step = order === 'asc' ? 1 : -1
  return searchPage(rows, limit, (row) => String(numberOf(row.id) - step))
}
