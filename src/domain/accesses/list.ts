/**
 * Lists accesses, ordered by id. User and product have an index. Status and due date have none, so a page that filters by
 * them searches a bounded number of accesses, and says where to go on.
 */
import { and, asc, eq, gt, isNull, lt, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { product_accesses, products, users } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { type RequestContext, storeNumber } from '../change/context.ts'
import { read } from '../change/read.ts'
import { type Page, pageParams, type PageRequest, searchedPageOf } from '../pages.ts'
import { accessColumns, type AccessStatus, type ProductAccessRecord } from './product-accesses.ts'

/** Numbers of records, and times in milliseconds since the epoch. */
interface AccessFilter extends PageRequest<number> {
  user_id?: number | undefined
  product_id?: number | undefined
  status?: AccessStatus | undefined
  due_after?: number | undefined
  due_before?: number | undefined
}

const listParams = { ...pageParams, ...params('user', 'product', 'status', 'due_after', 'due_before') }

const { id, user_id, product_id } = product_accesses
const firstId = idIn(storeNumber, listParams.after)

/** The accesses that a page is taken from. Each range has an index. */
const ranges = {
  user: and(
    eq(user_id, idIn(storeNumber, listParams.user)),
    // With `id` instead of `+id`, SQLite might read the ids of the whole store instead of those of the user.
    gt(sql`+${id}`, firstId),
    or(isNull(listParams.product), eq(product_id, idIn(storeNumber, listParams.product))),
  ),
  product: and(eq(product_id, idIn(storeNumber, listParams.product)), gt(id, firstId)),
  store: isOfStore(id, storeNumber, listParams.after),
}

/** The columns of a window: an access, and 1 if it is on the page, 0 if it is the end of what was searched. */
const found = { id: sql`found.id`, matches: sql<0 | 1>`found.matches` }

function selectWindow(window: SQLWrapper) {
  return orm
    .select({ ...accessColumns(), matches: found.matches.as('matches') })
    .from(sql`${window} found`)
    .innerJoin(product_accesses, eq(product_accesses.id, found.id))
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
    .orderBy(asc(product_accesses.id))
}

/** Selects from a whole range. */
function listOf(range: SQL | undefined) {
  return statement(listParams, () =>
    selectWindow(
      orm
        .select({ id, matches: sql`1`.as('matches') })
        .from(product_accesses)
        .where(range)
        .orderBy(asc(id))
        .limit(limitOf(listParams.count)),
    ),
  )
}

/** How many accesses a search reads. A page that is not full reads them twice: the second time to find the last one. */
const SEARCHED = SCAN_LIMIT / 2

/** Selects the accesses with the status and the due date from the beginning of a range. */
function searchOf(range: SQL | undefined) {
  return statement(listParams, () => {
    const end = orm
      .select({ id })
      .from(product_accesses)
      .where(range)
      .orderBy(asc(id))
      // No rows if the page is full. A condition would be evaluated for every access of the store, this is not.
      .limit(limitOf(sql`(select count(*) from page) < ${listParams.count}`))
      .offset(SEARCHED - 1)
    return selectWindow(sql`(with page as materialized ${matchesOf(range)}
      select page.id, 1 as matches from page union all select last.id, 0 from ${end} last)`)
  })
}

function matchesOf(range: SQL | undefined) {
  const { status, due_after, due_before, count } = listParams
  const searched = orm
    .select({ id, status: product_accesses.status, access_due_date: product_accesses.access_due_date })
    .from(product_accesses)
    .where(range)
    .orderBy(asc(id))
    .limit(SEARCHED)
    .as('searched')
  return orm
    .select({ id: searched.id })
    .from(searched)
    .where(
      and(
        or(isNull(status), eq(searched.status, status)),
        or(isNull(due_after), gt(searched.access_due_date, due_after)),
        or(isNull(due_before), lt(searched.access_due_date, due_before)),
      ),
    )
    .orderBy(asc(searched.id))
    .limit(limitOf(count))
}

const lists = { user: listOf(ranges.user), product: listOf(ranges.product), store: listOf(ranges.store) }

const searches = { user: searchOf(ranges.user), product: searchOf(ranges.product), store: searchOf(ranges.store) }

/** Throws the errors of the authorization. */
export async function listProductAccesses(
  db: Db,
  context: RequestContext,
  { limit, after = 0, ...filter }: AccessFilter,
): Promise<Page<ProductAccessRecord>> {
  const { user_id: user = null, product_id: product = null, status = null } = filter
  const { due_after = null, due_before = null } = filter
  const isSearch = status !== null || due_after !== null || due_before !== null
  const range = user !== null ? 'user' : product !== null ? 'product' : 'store'
  const select = (isSearch ? searches : lists)[range]
  const values = { after, count: limit + 1, user, product, status, due_after, due_before }
  const rows = await read(db, context, select(values))
  return searchedPageOf(rows, limit, (row) => numberOf(row.id))
}
