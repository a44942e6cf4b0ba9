/**
 * Searches for people by anything one would type in a search box: words, or a phone as well if it is only digits. Users whose email starts with the
 * text come first, ordered by email, then the others, ordered by number. The emails are a range of
 * the unique index. Names have no index, which would cost a row for every user, so a request examines a bounded number of
 * users. A page may therefore be short, and its cursor says where to continue.
 */
import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema/stores.ts'
import { named, orm, params, statement } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { SEARCH } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { type RequestContext, storeNumber } from '../../change/request.ts'
import { readAll } from '../../change/commit.ts'
import { found, searched, searchPage, selectMatching } from '../../change/pages.ts'
import { searchTermsOf } from './search-terms.ts'
import { filterParams, filterValues, passesFilters, type UserFilters } from './read-users.ts'

/** Where the page begins: at an email, among those that start with the text, or after a user's number, among all users. */
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

export async function searchUsers(db: Db, context: RequestContext, search: Search): Promise<SearchPage> {
  const { limit, after } = search
  const values = searchValues(search)
  const hasNames = after === undefined || 'number' in after
  const { emails, names } = await readAll(db, context, {
    emails: values.key_start === null ? undefined : selectByEmail(values),
    names: hasNames ? selectByName(values) : undefined,
  })
  const first = searchPage(emails, limit, ({ email_key }): SearchCursor => ({ email_key }))
  if (first.next !== null) return first
  if (!hasNames) return { rows: first.rows, next: { number: 0 } }
  const others = searchPage(names, limit - first.rows.length, ({ id }) => ({ number: numberOf(id) - 1 }))
  return { rows: [...first.rows, ...others.rows], next: others.next }
}

const WORDS = ['word1', 'word2', 'word3', 'word4', 'word5'] as const satisfies { length: typeof SEARCH.words }

/** The same words as they were typed. */
const TYPED = ['typed1', 'typed2', 'typed3', 'typed4', 'typed5'] as const satisfies { length: typeof SEARCH.words }

const searchParams = {
  ...filterParams,
  ...params(
    'phone',
    'phone_end',
    ...WORDS,
    ...TYPED,
    'start',
    'key_start',
    'from_key',
    'after_number',
    'count',
    'email_window',
    'name_window',
  ),
}

function searchValues({ q, limit, after, windows = SEARCH, ...filters }: Search) {
  const { phone, phone_end, words, start } = searchTermsOf(q)
  const hasEmails = start !== null && (after === undefined || 'email_key' in after)
  // A key has its domain as punycode, which may start with other characters than the text. So with an @, every email with
  // this local part is read.
  const key_start = hasEmails ? start.slice(0, start.indexOf('@') + 1) || start : null
  const email_key = after !== undefined && 'email_key' in after ? after.email_key : ''
  return {
    ...filterValues(filters),
    phone,
    phone_end,
    ...ofEach(WORDS, (_, i) => words[i]?.folded ?? null),
    ...ofEach(TYPED, (_, i) => words[i]?.typed ?? null),
    start,
    key_start,
    from_key: key_start !== null && email_key > key_start ? email_key : key_start,
    after_number: after !== undefined && 'number' in after ? after.number : 0,
    count: limit + 1,
    email_window: windows.emails,
    name_window: windows.names - (hasEmails ? windows.emails : 0),
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
  const { phone, phone_end, word1 } = searchParams
  return or(
    contains(users.phone_digits, phone),
    // Of a phone with fewer digits this is all of them, which equals no text with as many as `phoneEnd`.
    eq(sql`substr(${users.phone_digits}, -${sql.raw(String(SEARCH.phoneEnd))})`, phone_end),
    and(
      isNotNull(word1),
      ...WORDS.map((name, i) => matchesWord(searchParams[name], searchParams[TYPED[i] ?? 'typed1'])),
    ),
  )
}

/** True if there is no such word, and for users who have it. Words have "'" where an email may have "`". */
function matchesWord(word: SQL, typed: SQL): SQL | undefined {
  const email = sql`replace(${foldedEmail}, char(96), char(39))`
  const texts = [users.name_folded, users.last_name_folded, email]
  const external_id = sql`lower(substr(${users.external_id}, 1, length(${typed})))`
  return or(isNull(word), ...texts.map((text) => contains(text, word)), eq(external_id, typed))
}

function contains(text: SQLWrapper, part: SQL): SQL {
  return gt(sql`instr(${text}, ${part})`, sql`0`)
}

/** The authorization is computed once in a statement, because its text is long. */
const permitted = lazy(() =>
  orm.$with('permitted').as(orm.select({ store: storeNumber.as('store') }).from(sql`(select 1)`)),
)

const store = sql<number>`(select permitted.store from permitted)`

/** The users whose email may start with the text, ordered by email. They are none if `key_start` is null. */
function byEmail() {
  const { from_key, key_start, email_window, count } = searchParams
  const key = users.email_key
  return {
    table: users,
    id: users.id,
    range: and(eq(users.store, store), gte(key, from_key), lt(key, sql`${key_start} || char(127)`)),
    order: asc(key),
    matches: and(emailStarts(), matchesTerms(), passesFilters(store)),
    examined: email_window,
    count,
  }
}

function selectFound(ids: SQL) {
  return orm
    .with(permitted())
    .select(named({ ...getTableColumns(users), matches: found.matches }))
    .from(ids)
    .innerJoin(users, eq(users.id, found.id))
}

const selectByEmail = statement(searchParams, () => selectFound(searched(byEmail())).orderBy(asc(users.email_key)))

/** The others, as many as the page has room for. */
const selectByName = statement(searchParams, () => {
  const { after_number, name_window, count } = searchParams
  const ids = searched({
    table: users,
    id: users.id,
    range: isOfStore(users.id, store, after_number),
    order: asc(users.id),
    matches: and(matchesTerms(), passesFilters(store), sql`not ${emailStarts()}`),
    examined: name_window,
    count: sql`${count} - (select count(*) from ${selectMatching(byEmail())})`,
  })
  return selectFound(ids).orderBy(asc(found.id))
})
