/**
 * Finding users by what an operator types: first those whose e-mail starts so, by e-mail, then those with the name, by
 * number. The e-mails are a range of the unique index. Names have no index (it would cost a row per user), so a
 * request looks through a bounded number of users, and the page may be short while the cursor tells where to go on.
 */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Orm, type Params, type RowOf, statement } from '../../db/statement.ts'
import { isOfStore, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { type User, users } from '../../db/schema.ts'
import { SEARCH } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { emailKeyOf } from './emails.ts'
import { readAll } from '../change/read.ts'

/** What has been read up to: an e-mail among those that start so, or a user's number among all. */
export type SearchCursor = { email_key: string } | { number: number }

interface Search {
  /** The start of an e-mail, or part of a name. */
  q: string
  email: string | undefined
  external_id: string | undefined
  limit: number
  after: SearchCursor | undefined
}

interface Found {
  rows: User[]
  next: SearchCursor | null
}

export async function searchUsers(db: Db, call: Call, search: Search): Promise<Found> {
  const { limit } = search
  const values = { ...callValues(call), ...searchValues(search) }
  const { byEmail, byName } = await readAll(db, call, {
    byEmail: values.in_names ? undefined : selectByEmail(values),
    byName: selectByName(values),
  })

  const emails = takeMatches(byEmail, limit)
  if (emails.isMore) return { rows: emails.rows, next: emails.last ? { email_key: emails.last.email_key } : null }
  const names = takeMatches(byName, limit - emails.rows.length)
  const next = names.isMore ? { number: names.last ? numberOf(names.last.id) : values.after_number } : null
  return { rows: [...emails.rows, ...names.rows], next }
}

/** The first matches, whether there may be more, and the last user that was looked at. */
function takeMatches(found: RowOf<typeof selectByName>[], limit: number) {
  const matches = found.filter((row) => row.is_match === 1)
  const rows = matches.slice(0, limit)
  if (matches.length > limit) return { rows, isMore: true, last: rows.at(-1) }
  return { rows, isMore: found.at(-1)?.is_end === 1, last: found.at(-1) }
}

type Values = CallValues & ReturnType<typeof searchValues>

function searchValues({ q, email, external_id, limit, after }: Search) {
  // Only ASCII, as e-mails are compared, and as SQLite's lower() does.
  const text = q.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  // The domain of a key is punycode: what is typed need not be its start, so all of the local part are looked at.
  const key_start = text.slice(0, text.indexOf('@') + 1) || text
  const number = after !== undefined && 'number' in after ? after.number : undefined
  const email_key = after !== undefined && 'email_key' in after ? after.email_key : ''
  return {
    text,
    key_start,
    // Keys are of the characters from ! to ~.
    from_key: email_key > key_start ? `${email_key} ` : key_start,
    email_key: email === undefined ? null : emailKeyOf(email),
    external_id: external_id ?? null,
    after_number: number ?? 0,
    in_names: number === undefined ? 0 : 1,
    count: limit + 1,
  }
}

function startsSo(p: Params<Values>): SQL {
  return sql`(substr(email_key, 1, length(${p.text})) = ${p.text}
    or lower(substr(email, 1, length(${p.text}))) = ${p.text})`
}

function passes(p: Params<Values>): SQL {
  return sql`(${p.email_key} is null or email_key = ${p.email_key})
    and (${p.external_id} is null or external_id = ${p.external_id})`
}

/** Users whose e-mail may start so, in its order. */
function emailWindow(p: Params<Values>): SQL {
  return sql`select id, email_key as place, ${startsSo(p)} and ${passes(p)} as is_match from ${users}
    where store = ${p.store} and email_key >= ${p.from_key} and email_key < ${p.key_start} || char(127)
    order by email_key limit ${literal(SEARCH.emails)}`
}

/** The next users, by number; none where the e-mails fill the page. */
function nameWindow(p: Params<Values>): SQL {
  const isFull = sql`(${p.in_names} = 0
    and exists (select 1 from (${emailWindow(p)}) where is_match limit 1 offset ${p.count} - 1))`
  return sql`select id, id as place, (instr(lower(name), ${p.text}) > 0 or instr(lower(last_name), ${p.text}) > 0)
      and not ${startsSo(p)} and ${passes(p)} as is_match from ${users}
    where ${isOfStore(sql`id`, p.store, p.after_number)}
    order by id limit iif(${isFull}, 0, ${literal(SEARCH.names)})`
}

/**
 * The matches of a window, and the user at whom a full window ends. Where that is asks for a second reading: counting
 * the rows on the way makes SQLite keep them aside, and costs two more.
 */
function selectMatches(orm: Orm, { window, size, p }: { window: SQL; size: number; p: Params<Values> }) {
  const matches = sql`(with last(place) as materialized
      (select place from (${window}) limit 1 offset ${literal(size - 1)})
    select id, place, is_match, place is (select place from last) as is_end from (${window})
    where is_match or place = (select place from last) limit ${p.count}) w`
  return orm
    .select({
      ...getTableColumns(users),
      is_match: sql<number>`w.is_match`.as('is_match'),
      is_end: sql<number | null>`w.is_end`.as('is_end'),
    })
    .from(users)
    .innerJoin(matches, sql`w.id = ${users.id}`)
    .orderBy(sql`w.place`)
}

const selectByEmail = statement((p: Params<Values>, orm) =>
  selectMatches(orm, { window: emailWindow(p), size: SEARCH.emails, p }),
)

const selectByName = statement((p: Params<Values>, orm) =>
  selectMatches(orm, { window: nameWindow(p), size: SEARCH.names, p }),
)
