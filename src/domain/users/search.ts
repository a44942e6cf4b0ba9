/**
 * Searches for people by what one would type: words or, if it is only digits, a phone. Users whose email starts with the
 * text come first, ordered by email, then the others, ordered by number. The emails are a range of
 * the unique index. Names have no index, which would cost a row for every user, so a request examines a bounded number of
 * users. A page may therefore be short, and its cursor says where to continue.
 */
import { and, asc, eq, getTableColumns, gt, gte, isNull, lt, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema.ts'
import { limitOf, named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { SEARCH } from '../../limits.ts'
import { storeNumber } from '../change/authorize.ts'
import { type RequestContext } from '../change/context.ts'
import { read } from '../change/read.ts'
import { searchTermsOf } from './folding.ts'
import { filterParams, filterValues, passesFilters, type UserFilters } from './users.ts'

/** The end of the previous page: an email among those that start with the text, or a user's number among all users. */
export type SearchCursor = { email_key: string } | { number: number }

interface Search extends UserFilters {
  /** One to five words, or a part of a phone. */
  q: string
  limit: number
  after: SearchCursor | undefined
  /** How many users a page examines, as in `SEARCH`. */
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
  const found = await read(db, context, selectFound(searchValues(search)))
  const matches = found.filter(({ is_match }) => is_match === 1)
  const rows = matches.slice(0, search.limit)
  const last = rows.at(-1)
  if (matches.length > search.limit && last) return { rows, next: cursorOf(last) }
  const end = found.find(({ is_match }) => is_match === 0)
  return { rows, next: end ? cursorOf(end) : null }
}

/** The end of the names is the first user who was not examined, so the next page starts with that user. */
function cursorOf({ is_match, by_email, email_key, id }: RowOf<typeof selectFound>): SearchCursor {
  return by_email === 1 ? { email_key } : { number: numberOf(id) - (is_match === 1 ? 0 : 1) }
}

const WORDS = ['word1', 'word2', 'word3', 'word4', 'word5'] as const satisfies { length: typeof SEARCH.words }

/** The same words as they were typed. */
const TYPED = ['typed1', 'typed2', 'typed3', 'typed4', 'typed5'] as const satisfies { length: typeof SEARCH.words }

const searchParams = {
  ...filterParams,
  ...params(
    'phone',
    ...WORDS,
    ...TYPED,
    'start',
    'key_start',
    'from_key',
    'after_number',
    'in_names',
    'count',
    'email_window',
    'name_window',
  ),
}

function searchValues({ q, limit, after, windows = SEARCH, ...filters }: Search) {
  const { phone, words, start } = searchTermsOf(q)
  const [word1 = null, word2 = null, word3 = null, word4 = null, word5 = null] = words.map(({ folded }) => folded)
  const [typed1 = null, typed2 = null, typed3 = null, typed4 = null, typed5 = null] = words.map(({ typed }) => typed)
  // A key has its domain as punycode, which may start with other characters than the text. So with an @, every email with
  // this local part is read.
  const key_start = start?.slice(0, start.indexOf('@') + 1) || start
  const number = after !== undefined && 'number' in after ? after.number : undefined
  const email_key = after !== undefined && 'email_key' in after ? after.email_key : ''
  const readsEmails = start !== null && number === undefined
  return {
    ...filterValues(filters),
    phone,
    typed1,
    typed2,
    typed3,
    typed4,
    typed5,
    word1,
    word2,
    word3,
    word4,
    word5,
    start,
    key_start,
    // A space comes before every character of a key, which are those from ! to ~, so this is the next possible key.
    from_key: key_start !== null && email_key > key_start ? `${email_key} ` : key_start,
    after_number: number ?? 0,
    in_names: number === undefined ? 0 : 1,
    count: limit + 1,
    email_window: windows.emails,
    name_window: windows.names - (readsEmails ? windows.emails : 0),
  }
}

/** The email as its user sees it, folded. Only if that differs from the key, in which domains are punycode, it has a column. */
const foldedEmail = sql`coalesce(${users.email_folded}, ${users.email_key})`

/** No email starts with a text that is null. */
function emailStarts(): SQL {
  const { start } = searchParams
  return sql`(${eq(sql`substr(${foldedEmail}, 1, length(${start}))`, start)}) is true`
}

/** True for users with the phone, or with every word. */
function matchesTerms(): SQL | undefined {
  const texts = [users.name_folded, users.last_name_folded, foldedEmail]
  return and(
    or(isNull(searchParams.phone), contains(users.phone_digits, searchParams.phone)),
    ...WORDS.map((name, i) => {
      const word = searchParams[name]
      const typed = searchParams[TYPED[i] ?? 'typed1']
      const external_id = sql`lower(substr(${users.external_id}, 1, length(${typed})))`
      return or(isNull(word), ...texts.map((text) => contains(text, word)), eq(external_id, typed))
    }),
  )
}

function contains(text: SQLWrapper, part: SQL): SQL {
  return gt(sql`instr(${text}, ${part})`, sql`0`)
}

/**
 * 1 or 0. SQLite evaluates every part of an `and` or an `or` whose value is selected, but as the condition of `iif` only
 * those that it needs. That makes a search twice as fast.
 */
function decided(condition: SQL | undefined): SQL<0 | 1> {
  return sql`iif(${condition}, 1, 0)`
}

/** The users whose email may start with the text, ordered by email. */
function emailWindow(matches: SQL | undefined) {
  return orm
    .select({ id: users.id, is_match: decided(matches).as('is_match') })
    .from(users)
    .where(
      and(
        eq(users.store, storeNumber),
        gte(users.email_key, searchParams.from_key),
        lt(users.email_key, sql`${searchParams.key_start} || char(127)`),
      ),
    )
    .orderBy(asc(users.email_key))
}

/** The next users, ordered by number. */
function nameWindow(matches: SQL | undefined) {
  return orm
    .select({ id: users.id, is_match: decided(matches).as('is_match') })
    .from(users)
    .where(isOfStore(users.id, storeNumber, searchParams.after_number))
    .orderBy(asc(users.id))
}

const found = {
  id: sql<number>`found.id`,
  by_email: sql<0 | 1>`found.by_email`,
  is_match: sql<0 | 1>`found.is_match`,
}

/**
 * The matches of the page and, unless they fill it, the end of what was examined: by email the last user, by name the
 * first one who was not examined. An end is found by reading the window a second time, without its columns. To count the
 * rows on the way, SQLite would store them, which takes as long as two more readings.
 */
const selectFound = statement(searchParams, () => {
  const { count, in_names, email_window, name_window } = searchParams
  const emails = emailWindow(and(emailStarts(), matchesTerms(), passesFilters()))
    .limit(limitOf(email_window))
    .as('emails')
  const names = nameWindow(and(matchesTerms(), passesFilters(), sql`not ${emailStarts()}`))
    .limit(limitOf(name_window))
    .as('names')
  const emailPage = orm
    .select({ id: emails.id })
    .from(emails)
    .where(sql`${emails.is_match}`)
    .limit(limitOf(sql`iif(${in_names}, 0, ${count})`))
  const lastEmail = emailWindow(sql`0`)
    .limit(limitOf(sql`not ${in_names} and (select count(*) from by_email) < ${count}`))
    .offset(limitOf(sql`${email_window} - 1`))
  const namePage = orm
    .select({ id: names.id })
    .from(names)
    .where(sql`${names.is_match}`)
    .limit(limitOf(sql`iif(exists (select 1 from last_email), 0, ${count} - (select count(*) from by_email))`))
  const nextName = nameWindow(sql`0`)
    .limit(
      limitOf(sql`not exists (select 1 from last_email)
        and (select count(*) from by_email) + (select count(*) from by_name) < ${count}`),
    )
    .offset(limitOf(name_window))
  return orm
    .select(
      named({
        ...getTableColumns(users),
        by_email: found.by_email,
        is_match: found.is_match,
      }),
    )
    .from(
      sql`(with by_email as materialized ${emailPage}, last_email as materialized ${lastEmail},
        by_name as materialized ${namePage}
        select id, 1 as by_email, 1 as is_match from by_email union all select id, 1, 0 from last_email
        union all select id, 0, 1 from by_name union all select id, 0, 0 from ${nextName}) found`,
    )
    .innerJoin(users, eq(users.id, found.id))
    .orderBy(sql`${found.by_email} desc`, sql`iif(${found.by_email}, ${users.email_key}, null)`, asc(users.id))
})
