/** What happened to operators, the newest first; the API lists the oldest first, by ids without a gap. */
import { api, bodyOf } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'

const PAGE = 20

/** `upTo`: the newest id to show, as the page before has answered it in `next`; left out: the newest of all. */
export async function listNewest(upTo: string | undefined) {
  const newest = upTo === undefined ? await findNewest() : Number(upTo)
  const after = Math.max(0, newest - PAGE)
  const { data } = await listAfter(after, newest)
  const shown = data.filter(({ id }) => Number(id) <= newest).toReversed()
  return { data: shown, next: shown.length > 0 && after > 0 ? String(after) : null }
}

async function findNewest(): Promise<number> {
  const { response } = await api.GET('/admin/events', { params: { query: { limit: 1 } } })
  return Number(response.headers.get('X-Newest-Id') ?? 0)
}

/** Where what follows is no longer kept, the oldest that are. */
async function listAfter(after: number, newest: number) {
  const limit = Math.max(1, Math.min(PAGE, newest - after))
  try {
    return await bodyOf(
      api.GET('/admin/events', { params: { query: { limit, ...(after > 0 && { after: String(after) }) } } }),
    )
  } catch (error) {
    if (toFailure(error).code !== 'cursor_expired') throw error
    return bodyOf(api.GET('/admin/events', { params: { query: { limit } } }))
  }
}
