/**
 * Lists accesses, ordered by id. Ids, users and products have an index. Status, due date and the custom fields of users have
 * none, so a page that filters by them searches a bounded number of accesses, and says where to go on.
 */
import { and, eq, exists, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, idsOfList, numberOf } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { users } from '../../db/schema/stores.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { ofEach } from '../../lib/names.ts'
import { contextParams, type RequestContext } from '../../change/request.ts'
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
  searchPageOf,
  startOf,
} from '../../change/pages.ts'
import {
  examinedStore,
  type FieldFilter,
  fieldFilterValues,
  fieldParams,
  passesFieldFilter,
  readFiltered,
  withExaminedStore,
} from '../custom-fields/field-filter.ts'
import { accessColumns, type AccessStatus, isInForce, type ProductAccessRecord } from './access-record.ts'

/** The same for accesses that are filtered by what their users have in a custom field, which reads the users as well. */
const FIELD_SCAN_LIMIT = 2000

/** Numbers of records, and times in milliseconds since the epoch. */
interface AccessFilter {
  ids?: readonly number[] | undefined
  user_ids?: readonly number[] | undefined
  /** What the user has. */
  custom_fields?: FieldFilter | undefined
  user_id?: number | undefined
  product_id?: number | undefined
  status?: AccessStatus | undefined
  /** Whether the status is `with_access` and the due date has not passed. */
  in_force?: boolean | undefined
  /** Inclusive. */
  due_after?: number | undefined
  /** Exclusive. */
  due_before?: number | undefined
}

interface ListRequest extends AccessFilter, PageRequest<number> {
  order?: Order | undefined
}

const listParams = {
  ...pageParams,
  ...fieldParams,
  ...params('ids', 'users', 'user', 'product', 'status', 'in_force', 'due_after', 'due_before'),
}

const { id } = product_accesses

/** The accesses that a page is taken from. Each range has an index, and the filters that follow its own in this list. */
function rangesOf() {
  const store = examinedStore
  const isListed = inArray(id, idsOfList(store, listParams.ids))
  const isOfUsers = inArray(product_accesses.user_id, idsOfList(store, listParams.users))
  const isOfUser = eq(product_accesses.user_id, idIn(store, listParams.user))
  const isOfProduct = eq(product_accesses.product_id, idIn(store, listParams.product))
  const passesUsers = or(isNull(listParams.users), isOfUsers)
  const passesUser = or(isNull(listParams.user), isOfUser)
  const passesProduct = or(isNull(listParams.product), isOfProduct)
  // With `id` instead of `+id`, SQLite might read the ids of the whole store instead of those of the filter.
  const follows = (order: Order) => followsCursor(order, sql`+${id}`, store)
  return {
    ids: (order: Order) => and(isListed, follows(order), passesUser, passesUsers, passesProduct),
    user: (order: Order) => and(isOfUser, follows(order), passesUsers, passesProduct),
    users: (order: Order) => and(isOfUsers, follows(order), passesProduct),
    product: (order: Order) => and(isOfProduct, followsCursor(order, id, store)),
    store: (order: Order) => isAfterCursor(order, id, store),
  }
}

type RangeName = keyof ReturnType<typeof rangesOf>

function rangeOf({ ids, user_id, user_ids, product_id }: AccessFilter): RangeName {
  if (ids !== undefined) return 'ids'
  if (user_id !== undefined) return 'user'
  if (user_ids !== undefined) return 'users'
  return product_id === undefined ? 'store' : 'product'
}

const RANGES = ['ids', 'user', 'users', 'product', 'store'] as const satisfies RangeName[]

/** `ids` selects the ids, and whether the access belongs to the page (pages.ts). */
function selectFound(ids: SQL, order: Order) {
  return orm
    .with(withExaminedStore())
    .select({ ...accessColumns(), matches: found.matches.as('matches') })
    .from(ids)
    .innerJoin(product_accesses, eq(product_accesses.id, found.id))
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
    .orderBy(orderBy(order, product_accesses.id))
}

/** Selects from a whole range. */
function listOf(name: RangeName) {
  return inBothOrders((order) =>
    statement(listParams, () => {
      const page = orm
        .select({ id, matches: sql`1`.as('matches') })
        .from(product_accesses)
        .where(rangesOf()[name](order))
        .orderBy(orderBy(order, id))
        .limit(limitOf(listParams.count))
      return selectFound(sql`${page} found`, order)
    }),
  )
}

/** How many accesses a search examines. A page that is not full reads them twice: the second time to find the end. */
const SEARCHED = SCAN_LIMIT / 2

/** The same with a filter by a custom field, which reads the user of each of them. */
const SEARCHED_BY_FIELD = FIELD_SCAN_LIMIT / 2

/** True for accesses that match what has no index. */
function matchesSearch(): SQL | undefined {
  const { status, in_force, due_after, due_before, field_key } = listParams
  const owner = alias(users, 'owner')
  const passingOwner = orm
    .select({ passes: sql`1` })
    .from(owner)
    .where(and(eq(owner.id, product_accesses.user_id), passesFieldFilter(owner.custom_fields)))
  return and(
    or(isNull(status), eq(product_accesses.status, status)),
    or(isNull(in_force), eq(isInForce(product_accesses, contextParams.now), in_force)),
    or(isNull(due_after), gte(product_accesses.access_due_date, due_after)),
    or(isNull(due_before), lt(product_accesses.access_due_date, due_before)),
    or(isNull(field_key), exists(passingOwner)),
  )
}

/** Selects the accesses that match from the beginning of a range. */
function searchOf(name: RangeName) {
  return inBothOrders((order) =>
    statement(listParams, () => {
      const ids = searched({
        table: product_accesses,
        id,
        range: rangesOf()[name](order),
        order: orderBy(order, id),
        matches: matchesSearch(),
        examined: sql`iif(${isNull(listParams.field_key)}, ${SEARCHED}, ${SEARCHED_BY_FIELD})`,
        count: listParams.count,
      })
      return selectFound(ids, order)
    }),
  )
}

const lists = ofEach(RANGES, listOf)

const searches = ofEach(RANGES, searchOf)

const listJson = (numbers: readonly number[] | undefined) => (numbers === undefined ? null : JSON.stringify(numbers))

function filterValues({ ids, user_ids, custom_fields, ...filter }: AccessFilter) {
  return {
    ...fieldFilterValues(custom_fields),
    ids: listJson(ids),
    users: listJson(user_ids),
    user: filter.user_id ?? null,
    product: filter.product_id ?? null,
    status: filter.status ?? null,
    in_force: filter.in_force === undefined ? null : Number(filter.in_force),
    due_after: filter.due_after ?? null,
    due_before: filter.due_before ?? null,
  }
}

/** Throws `unknown_custom_fields`. */
export async function listProductAccesses(
  db: Db,
  context: RequestContext,
  { limit, order = 'asc', after = startOf(order), ...filter }: ListRequest,
): Promise<Page<ProductAccessRecord>> {
  const { custom_fields, status, in_force, due_after, due_before } = filter
  const isSearch = [custom_fields, status, in_force, due_after, due_before].some((value) => value !== undefined)
  const select = (isSearch ? searches : lists)[rangeOf(filter)][order]
  const page = select({ ...filterValues(filter), after, count: limit + 1 })
  const rows = await readFiltered(db, context, page, custom_fields)
  return isSearch ? searchPageOf(rows, limit, order) : pageOf(rows, limit, (row) => numberOf(row.id))
}
