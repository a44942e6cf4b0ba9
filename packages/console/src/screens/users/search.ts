/** Searches users by parts of names, emails and phones, or by an external id, from one input. */
import { searchTermsOf, splitWords } from '../../../../../src/modules/users/search-terms.ts'
import { type OrderSearch, readOrder, type Search, textIn } from '../../address.ts'
import { api, bodyOf } from '../../api/client.ts'
import { oneAtATime } from '../../api/one-at-a-time.ts'
import type { List } from '../../api/pages.ts'
import type { User } from './draft.ts'
import { type FieldFilter, fieldFilter, fieldQuery } from './field-filter.ts'
import { goOn, type LastSearch } from './narrowing.ts'

/** The API's limits for `q`. A longer text can only be a whole email or external id. */
const MAX_PART = 100
const MAX_WORDS = 5

const ID = /^[1-9]\d{0,9}$/

export interface UserFilter extends OrderSearch, FieldFilter {
  q?: string
}

/** Reads the filters from the URL. */
export function userFilter(search: Search): UserFilter {
  const q = textIn(search['q'])
  // The service takes one of the two.
  return { ...(q === undefined ? fieldFilter(search) : { q }), ...readOrder(search) }
}

type Query = {
  q?: string
  email?: string
  external_id?: string
  ids?: string
  order?: 'asc' | 'desc'
  custom_fields?: Record<string, string>
}

export function listUsers(store: string, query: Query, client = api): List<User> {
  const path = { store_id: store }
  return (after, { limit, signal }) => {
    const params = { path, query: { ...query, limit, ...(after !== undefined && { after }) } }
    return bodyOf(client.GET('/admin/stores/{store_id}/users', { params, signal }))
  }
}

/** With the last search of the screen, this one goes on from there if it can. */
export function searchUsers(
  store: string,
  { q: text = '', order, ...field }: UserFilter,
  last?: LastSearch,
): List<User> {
  if (!hasLetters(text)) return oneAtATime(listUsers(store, { order: order ?? 'desc', ...fieldQuery(field) }))
  if (!isPart(text)) return listUsers(store, text.includes('@') ? { email: text } : { external_id: text })
  const q = searchTermsOf(text).phone === null ? splitWords(text).slice(0, MAX_WORDS).join(' ') : text
  const search = listUsers(store, { q })
  return oneAtATime(last ? goOn(last, { store, q }, search) : search)
}

/** The users with exactly this external id or id. They come before those whom `searchUsers` finds. */
export async function findExactly(store: string, text: string, signal: AbortSignal): Promise<User[]> {
  if (!hasLetters(text) || !isPart(text)) return []
  const queries = [{ external_id: text }, ...(ID.test(text) ? [{ ids: text }] : [])]
  const [first, second] = await Promise.all(
    queries.map((query) => listUsers(store, query)(undefined, { limit: 100, signal })),
  )
  return withFirst(first?.data ?? [], second?.data ?? [])
}

/** The users with the external id, and then the others. */
export function withFirst(first: User[], users: User[]): User[] {
  const ids = new Set(first.map(({ id }) => id))
  return ids.size === 0 ? users : [...first, ...users.filter(({ id }) => !ids.has(id))]
}

function isPart(text: string): boolean {
  return text.length <= MAX_PART
}

/**
 * The API rejects a search for nothing but commas, invisible characters and accents, which the keyboard sends before the
 * letter that follows. For such a text, `searchUsers` lists everyone.
 */
export function hasLetters(text: string): boolean {
  const { phone, words } = searchTermsOf(text)
  return phone !== null || words.length > 0
}
