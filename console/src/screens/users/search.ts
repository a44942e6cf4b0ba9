/** Searches users by parts of names and emails, or by a whole external id, from one input. */
import { type OrderSearch, readOrder, type Search, textIn } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import type { List } from '../../api/pages.ts'

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
  after?: string
  limit?: number
}

/** Users with exactly this external id come first, on the first page. */
export function searchUsers(store: string, { q: text = '', order }: UserFilter): List<Schemas['User']> {
  return async (after, { limit, signal }) => {
    const list = (query: Query) =>
      bodyOf(api.GET('/admin/stores/{store_id}/users', { params: { path: { store_id: store }, query }, signal }))
    const place = { limit, ...(after !== undefined && { after }) }
    if (!hasLetters(text)) return list({ order: order ?? 'desc', ...place })
    const isPart = text.length <= MAX_PART
    const found = isPart
      ? list({ q: text.split(/\s+/u).slice(0, MAX_WORDS).join(' '), ...place })
      : list(text.includes('@') ? { email: text } : { external_id: text })
    if (after !== undefined || !isPart) return found
    const [exact, page] = await Promise.all([list({ external_id: text, limit: 100 }), found])
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
