/** Searches users by parts of names and emails, or by a whole external id, from one input. */
import { api, bodyOf, type Schemas } from '../../api/client.ts'

/** The API's limit for `q`. A longer text can only be a whole email or external id. */
const MAX_PART = 100

type Filters = { q?: string; email?: string; external_id?: string; after?: string; limit?: number }

/** Users with exactly this external id come first, on the first page. */
export async function searchUsers(
  store: string,
  text: string,
  after: string | undefined,
): Promise<Schemas['UserPage']> {
  const list = (query: Filters) =>
    bodyOf(api.GET('/admin/stores/{store_id}/users', { params: { path: { store_id: store }, query } }))
  const place = after !== undefined && { after }
  if (text === '') return list({ ...place })
  const isPart = text.length <= MAX_PART
  const found = isPart
    ? list({ q: text, ...place })
    : list(text.includes('@') ? { email: text } : { external_id: text })
  if (after !== undefined || !isPart) return found
  const [exact, page] = await Promise.all([list({ external_id: text, limit: 100 }), found])
  const ids = new Set(exact.data.map(({ id }) => id))
  return { data: [...exact.data, ...page.data.filter(({ id }) => !ids.has(id))], next: page.next }
}
