/**
 * Lists of accesses. Users and products have an index; status and due date have none, so a page that filters by them
 * searches a window of records at most and says where to go on.
 */
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Orm, type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { product_accesses, products, users } from '../../db/schema.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { type Page, type PageRequest, searchedPageOf } from '../pages.ts'
import { accessColumns, type AccessStatus, type ProductAccessRecord } from './product-accesses.ts'
import { read } from '../change/read.ts'

/** Numbers of records, and times in milliseconds since the epoch. */
interface AccessFilter extends PageRequest<number> {
  user_id?: number | undefined
  product_id?: number | undefined
  status?: AccessStatus | undefined
  due_after?: number | undefined
  due_before?: number | undefined
}

interface FilterValues {
  after: number
  user: number | null
  product: number | null
  status: string | null
  due_after: number | null
  due_before: number | null
  count: number
}

type P = Params<CallValues & FilterValues>

/** The records among which a page lies, by the index that is there for it. `+id`: not by the ids of the whole store. */
const RANGES = {
  user: (p: P) => sql`user_id = ${idIn(p.store, p.user)} and +id > ${idIn(p.store, p.after)}
    and (${p.product} is null or product_id = ${idIn(p.store, p.product)})`,
  product: (p: P) => sql`product_id = ${idIn(p.store, p.product)} and id > ${idIn(p.store, p.after)}`,
  store: (p: P) => isOfStore(sql`id`, p.store, p.after),
}

/** What a window selects, each id with whether it is of the page or marks the end of what was searched. */
function selectWindow(orm: Orm, window: SQL) {
  return orm
    .select({ ...accessColumns(), matches: sql<0 | 1>`w.matches`.as('matches') })
    .from(sql`(${window}) w`)
    .innerJoin(product_accesses, sql`${product_accesses.id} = w.id`)
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
    .orderBy(asc(product_accesses.id))
}

/** All of a range. */
function listOf(range: (p: P) => SQL) {
  return statement((p: P, orm) =>
    selectWindow(
      orm,
      sql`select id, 1 as matches from ${product_accesses} where ${range(p)} order by id limit ${p.count}`,
    ),
  )
}

/** What has the status and the due date, in the first so many records of a range. */
function searchOf(range: (p: P) => SQL) {
  // A page that is not full counts the records once more, to tell which one is the last. It says so by LIMIT 0 or 1:
  // a condition would be asked, and answered with no, for each record of the store.
  const records = SCAN_LIMIT / 2
  return statement((p: P, orm) => {
    const found = sql`select id from
        (select id, status, access_due_date from ${product_accesses} where ${range(p)} order by id limit ${literal(records)})
      where (${p.status} is null or status = ${p.status})
        and (${p.due_after} is null or access_due_date > ${p.due_after})
        and (${p.due_before} is null or access_due_date < ${p.due_before})
      order by id limit ${p.count}`
    const end = sql`select id from ${product_accesses} where ${range(p)}
      order by id limit (select count(*) from page) < ${p.count} offset ${literal(records - 1)}`
    return selectWindow(
      orm,
      sql`with page as materialized (${found})
        select id, 1 as matches from page union all select id, 0 from (${end})`,
    )
  })
}

const LISTS = { user: listOf(RANGES.user), product: listOf(RANGES.product), store: listOf(RANGES.store) }

const SEARCHES = { user: searchOf(RANGES.user), product: searchOf(RANGES.product), store: searchOf(RANGES.store) }

/** The order is by id. */
export async function listProductAccesses(
  db: Db,
  call: Call,
  { limit, after, ...filter }: AccessFilter,
): Promise<Page<ProductAccessRecord>> {
  const { user_id: user = null, product_id: product = null, status = null } = filter
  const { due_after = null, due_before = null } = filter
  const isSearch = status !== null || due_after !== null || due_before !== null
  const by = user !== null ? 'user' : product !== null ? 'product' : 'store'
  const filterValues = { after: after ?? 0, user, product, status, due_after, due_before, count: limit + 1 }
  const select = (isSearch ? SEARCHES : LISTS)[by]
  const found = await read(db, call, select({ ...callValues(call), ...filterValues }))
  return searchedPageOf(found, limit, (row) => numberOf(row.id))
}
