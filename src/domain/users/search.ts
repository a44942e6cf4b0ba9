/**
 * Searches users by what an operator types: first those whose email starts with the text, ordered by email, then those
 * with the text in a name, ordered by number. The emails are a range of the unique index. Names have no index, which would
 * cost a row for every user, so a request reads a bounded number of users. A page may therefore be short, and its cursor
 * says where to go on.
 */
import { and, asc, eq, exists, getTableColumns, gt, gte, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema.ts'
import { limitOf, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { SEARCH } from '../../limits.ts'
import { type RequestContext, storeNumber } from '../change/context.ts'
import { readAll } from '../change/read.ts'
import { emailKeyOf } from './emails.ts'

/** The end of the previous page: an email among those that start with the text, or a user's number among all users. */
export type SearchCursor = { email_key: string } | { number: number }

interface Search {
  /** The start of an email, or part of a name. */
  q: string
  email: string | undefined
  external_id: string | undefined
  limit: number
  after: SearchCursor | undefined
  /** How many users a page examines: those whose email may start with the text, and all others. */
  windows?: SearchWindows
}

interface SearchWindows {
  emails: number
  names: number
}

interface SearchPage {
  rows: User[]
  next: SearchCursor | null
}

/** Throws the errors of the authorization. */
export async function searchUsers(db: Db, context: RequestContext, search: Search): Promise<SearchPage> {
  const { limit } = search
  const values = searchValues(search)
  const { byEmail, byName } = await readAll(db, context, {
    byEmail: values.in_names ? undefined : selectByEmail(values),
    byName: selectByName(values),
  })

  const emails = takeMatches(byEmail, limit)
  if (emails.hasMore) return { rows: emails.rows, next: emails.last ? { email_key: emails.last.email_key } : null }
  const names = takeMatches(byName, limit - emails.rows.length)
  const next = names.hasMore ? { number: names.last ? numberOf(names.last.id) : values.after_number } : null
  return { rows: [...emails.rows, ...names.rows], next }
}

/** The first matches, whether there may be more, and the last user who was read. */
function takeMatches(found: RowOf<typeof selectByName>[], limit: number) {
  const matches = found.filter((row) => row.is_match === 1)
  const rows = matches.slice(0, limit)
  if (matches.length > limit) return { rows, hasMore: true, last: rows.at(-1) }
  return { rows, hasMore: found.at(-1)?.is_end === 1, last: found.at(-1) }
}

const searchParams = params(
  'text',
  'key_start',
  'from_key',
  'email_key',
  'external_id',
  'after_number',
  'in_names',
  'count',
  'email_window',
  'name_window',
)

function searchValues({ q, email, external_id, limit, after, windows = SEARCH }: Search) {
  // Only ASCII letters, like the comparison of emails and lower() of SQLite.
  const text = q.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  // A key has its domain as punycode, which may start with other characters than the text. So with an @, every email with
  // this local part is read.
  const key_start = text.slice(0, text.indexOf('@') + 1) || text
  const number = after !== undefined && 'number' in after ? after.number : undefined
  const email_key = after !== undefined && 'email_key' in after ? after.email_key : ''
  return {
    text,
    key_start,
    // A space comes before every character of a key, which are those from ! to ~, so this is the next possible key.
    from_key: email_key > key_start ? `${email_key} ` : key_start,
    email_key: email === undefined ? null : emailKeyOf(email),
    external_id: external_id ?? null,
    after_number: number ?? 0,
    in_names: number === undefined ? 0 : 1,
    count: limit + 1,
    email_window: windows.emails,
    name_window: windows.names,
  }
}

const { text } = searchParams

const emailStartsWithText = sql`(substr(${users.email_key}, 1, length(${text})) = ${text}
  or lower(substr(${users.email}, 1, length(${text}))) = ${text})`

const nameContainsText = or(
  gt(sql`instr(lower(${users.name}), ${text})`, sql`0`),
  gt(sql`instr(lower(${users.last_name}), ${text})`, sql`0`),
)

const passesFilters = and(
  or(isNull(searchParams.email_key), eq(users.email_key, searchParams.email_key)),
  or(isNull(searchParams.external_id), eq(users.external_id, searchParams.external_id)),
)

/** The users whose email may start with the text, ordered by email. */
function emailWindow() {
  return orm
    .select({
      id: users.id,
      place: sql<string | number>`${users.email_key}`.as('place'),
      is_match: sql<number>`${and(emailStartsWithText, passesFilters)}`.as('is_match'),
    })
    .from(users)
    .where(
      and(
        eq(users.store, storeNumber),
        gte(users.email_key, searchParams.from_key),
        lt(users.email_key, sql`${searchParams.key_start} || char(127)`),
      ),
    )
    .orderBy(asc(users.email_key))
    .limit(limitOf(searchParams.email_window))
}

/** The next users, ordered by number; none if the emails already fill the page. */
function nameWindow() {
  const emails = emailWindow().as('emails')
  const lastOfPage = orm
    .select({ one: sql`1` })
    .from(emails)
    .where(sql`${emails.is_match}`)
    .limit(1)
    .offset(limitOf(sql`${searchParams.count} - 1`))
  const isFull = and(eq(searchParams.in_names, sql`0`), exists(lastOfPage))
  return orm
    .select({
      id: users.id,
      place: sql<string | number>`${users.id}`.as('place'),
      is_match: sql<number>`${and(nameContainsText, not(emailStartsWithText), passesFilters)}`.as('is_match'),
    })
    .from(users)
    .where(isOfStore(users.id, storeNumber, searchParams.after_number))
    .orderBy(asc(users.id))
    .limit(limitOf(sql`iif(${isFull}, 0, ${searchParams.name_window})`))
}

/** The columns of the matches, in the statement around them. */
const found = {
  id: sql<number>`found.id`,
  place: sql`found.place`,
  is_match: sql<number>`found.is_match`,
  is_end: sql<number | null>`found.is_end`,
}

/**
 * The matches in a window, and the user with whom a full window ends. The end is found by reading the window a second
 * time. To count its rows on the way, SQLite would store them, which costs as much as two more readings.
 */
function selectMatches(window: ReturnType<typeof emailWindow>, size: SQL) {
  const searched = window.as('searched')
  const end = orm
    .select({ place: searched.place })
    .from(searched)
    .limit(1)
    .offset(limitOf(sql`${size} - 1`))
  const endPlace = sql`(select last.place from last)`
  const matches = orm
    .select({
      id: searched.id,
      place: searched.place,
      is_match: searched.is_match,
      is_end: sql`${searched.place} is ${endPlace}`.as('is_end'),
    })
    .from(searched)
    .where(or(sql`${searched.is_match}`, eq(searched.place, endPlace)))
    .limit(limitOf(searchParams.count))
  return orm
    .select({ ...getTableColumns(users), is_match: found.is_match.as('is_match'), is_end: found.is_end.as('is_end') })
    .from(users)
    .innerJoin(sql`(with last(place) as materialized ${end} select * from ${matches}) found`, eq(found.id, users.id))
    .orderBy(asc(found.place))
}

const selectByEmail = statement(searchParams, () => selectMatches(emailWindow(), searchParams.email_window))

const selectByName = statement(searchParams, () => selectMatches(nameWindow(), searchParams.name_window))
