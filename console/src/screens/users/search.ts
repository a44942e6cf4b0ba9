/** Searches users by parts of names and emails, or by a whole external id, from one input. */
import { type OrderSearch, readOrder, type Search, textIn } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { oneAtATime } from '../../api/one-at-a-time.ts'
import type { List } from '../../api/pages.ts'
import { goOn, type LastSearch } from './narrowing.ts'

/** The API's limits for `q`. A longer text can only be a whole email or external id. */
const MAX_PART = 100
const MAX_WORDS = 5

export interface UserFilter extends OrderSearch {
  q?: string
}

/** Reads the filters from the URL. */
export function userFilter(search: Search): UserFilter {
  const q = textIn(search['q'])
  return { ...(q !== undefined && { q }), ...readOrder(search) }
}

type Query = {
  q?: string
  email?: string
  external_id?: string
  order?: 'asc' | 'desc'
}

/**
 * Users with exactly this external id come first, on the first page. With the last search of the screen, this one goes on
 * from there if it can.
 */
export function searchUsers(
  store: string,
  { q: text = '', order }: UserFilter,
  last?: LastSearch,
): List<Schemas['User']> {
  const list = (query: Query): List<Schemas['User']> => {
    const path = { store_id: store }
    return (after, { limit, signal }) => {
      const params = { path, query: { ...query, limit, ...(after !== undefined && { after }) } }
      return bodyOf(api.GET('/admin/stores/{store_id}/users', { params, signal }))
    }
  }
  if (!hasLetters(text)) return oneAtATime(list({ order: order ?? 'desc' }))
  if (text.length > MAX_PART) return list(text.includes('@') ? { email: text } : { external_id: text })
  const q = text.split(/\s+/u).slice(0, MAX_WORDS).join(' ')
  const byPart = oneAtATime(last ? goOn(last, { store, q }, list({ q })) : list({ q }))
  const byExternalId = list({ external_id: text })
  return async (after, request) => {
    if (after !== undefined) return byPart(after, request)
    const [exact, page] = await Promise.all([
      byExternalId(undefined, { ...request, limit: 100 }),
      byPart(undefined, request),
    ])
    const ids = new Set(exact.data.map(({ id }) => id))
    return { data: [...exact.data, ...page.data.filter(({ id }) => !ids.has(id))], next: page.next }
  }
}

/**
 * The API rejects a search for nothing but accents, which the keyboard sends before the letter that follows. For such a
 * text, `searchUsers` lists everyone.
 */
export function hasLetters(text: string): boolean {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').trim() !== ''
}
