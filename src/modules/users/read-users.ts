import { and, asc, eq, inArray, isNull, or, type SQL, sql, type SQLWrapper, sum } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, idsOfList, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema/stores.ts'
import { limitOf, orm, params, statement, type ValuesOf } from '../../db/statement.ts'
import { EXPORT } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { type RequestContext, storeNumber } from '../../change/request.ts'
import { read, readOne } from '../../change/commit.ts'
import {
  followsCursor,
  inBothOrders,
  isAfterCursor,
  type Order,
  orderBy,
  type Page,
  pageParams,
  type PageRequest,
  readPage,
  startOf,
} from '../../change/pages.ts'
import { emailKeyOf } from '../../lib/emails.ts'

const numberParams = params('number')

const selectUser = statement(numberParams, () =>
  orm
    .select()
    .from(users)
    .where(eq(users.id, idIn(storeNumber, numberParams.number))),
)

/** Throws `not_found`. */
export function getUser(db: Db, context: RequestContext, number: number): Promise<User> {
  return readOne(db, context, selectUser({ number }))
}

/** Finds the user of the store who has the email, in any letter case. */
export async function findUserByEmail(db: Db, context: RequestContext, email: string): Promise<User | undefined> {
  const values = { ...filterValues({ email }), after: startOf('asc'), count: 1 }
  const [user] = await read(db, context, lists.email.asc(values))
  return user
}

export interface UserFilters {
  /** Compared without regard to letter case. */
  email?: string | undefined
  external_id?: string | undefined
  ids?: readonly number[] | undefined
}

export const filterParams = params('email', 'external_id', 'ids')

/** Null for a filter that is omitted. `email` is the key of the email, and `ids` a JSON list. */
export function filterValues({ email, external_id, ids }: UserFilters): ValuesOf<typeof filterParams> {
  return {
    email: email === undefined ? null : emailKeyOf(email),
    external_id: external_id ?? null,
    ids: ids === undefined ? null : JSON.stringify(ids),
  }
}

/** True for users of the store who match every filter. */
export function passesFilters(store: SQL = storeNumber): SQL | undefined {
  const { email, external_id, ids } = filterParams
  return and(
    or(isNull(email), eq(users.email_key, email)),
    or(isNull(external_id), eq(users.external_id, external_id)),
    or(isNull(ids), inArray(users.id, idsOfList(store, ids))),
  )
}

export interface ListRequest extends UserFilters, PageRequest<number> {
  order?: Order | undefined
}

/** The users of a store, ordered by number. */
export function listUsers(db: Db, context: RequestContext, request: ListRequest): Promise<Page<User>> {
  const { limit, order = 'asc', after = startOf(order), ...filters } = request
  const select = lists[rangeOf(filters)][order]
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => select({ ...filterValues(filters), after, count }),
  })
}

/**
 * As `listUsers`, oldest first, for a page of a file, which may have thousands of users. A full page may be the last one; the
 * next is then empty.
 */
export async function listUsersOfFile(
  db: Db,
  context: RequestContext,
  { limit, after = startOf('asc'), ...filters }: UserFilters & PageRequest<number>,
): Promise<{ rows: User[]; next: number | null }> {
  const rows = await read(db, context, fileLists[rangeOf(filters)]({ ...filterValues(filters), after, count: limit }))
  const last = rows.at(-1)
  const isFull = rows.length === limit || rows.length === EXPORT.largeUsers
  return { rows, next: isFull && last !== undefined ? numberOf(last.id) : null }
}

/** The range that has an index. */
export function rangeOf({ email, external_id, ids }: UserFilters): RangeName {
  if (email !== undefined) return 'email'
  if (ids !== undefined) return 'ids'
  return external_id === undefined ? 'store' : 'external_id'
}

const listParams = { ...pageParams, ...filterParams }

/** A list of the users in a range, which has an index. */
function listOf(name: RangeName) {
  return inBothOrders((order) =>
    statement(listParams, () =>
      orm
        .select()
        .from(users)
        .where(rangesOf()[name](order))
        .orderBy(orderBy(order, users.id))
        .limit(limitOf(pageParams.count)),
    ),
  )
}

/** If the texts of these users are large, the page has as many users as fit in any case. */
function fileOf(name: RangeName) {
  const { custom_fields, avatar, name_folded, last_name_folded } = users
  const texts = sql`concat(${custom_fields}, ${avatar}, ${name_folded}, ${last_name_folded})`
  return statement(listParams, () => {
    const { count } = pageParams
    const isInRange = rangesOf()[name]('asc')
    const page = orm
      .select({ bytes: sql<number>`octet_length(${texts})`.as('bytes') })
      .from(users)
      .where(isInRange)
      .orderBy(asc(users.id))
      .limit(limitOf(count))
      .as('page')
    const total = orm.select({ bytes: sum(page.bytes) }).from(page)
    return orm
      .select()
      .from(users)
      .where(isInRange)
      .orderBy(asc(users.id))
      .limit(limitOf(sql`iif(${total} > ${EXPORT.pageBytes}, min(${count}, ${EXPORT.largeUsers}), ${count})`))
  })
}

const { email, external_id, ids } = filterParams

/** The users that a page is taken from. Each range has an index. */
export function rangesOf(store: SQL = storeNumber) {
  const follows = (order: Order, id: SQLWrapper = users.id) => followsCursor(order, id, store)
  return {
    store: (order: Order) => isAfterCursor(order, users.id, store),
    email: (order: Order) =>
      and(eq(users.store, store), eq(users.email_key, email), passesFilters(store), follows(order)),
    external_id: (order: Order) => and(eq(users.store, store), eq(users.external_id, external_id), follows(order)),
    // With `id` instead of `+id`, SQLite might read the whole store instead of these users.
    ids: (order: Order) =>
      and(inArray(users.id, idsOfList(store, ids)), passesFilters(store), follows(order, sql`+${users.id}`)),
  }
}

type RangeName = keyof ReturnType<typeof rangesOf>

export const RANGES = ['store', 'email', 'external_id', 'ids'] as const satisfies RangeName[]

const lists = ofEach(RANGES, listOf)

const fileLists = ofEach(RANGES, fileOf)
