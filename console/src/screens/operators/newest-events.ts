/** Reads the events of operators newest first. The API returns them oldest first, with ids without gaps. */
import { api, bodyOf } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'

const PAGE = 20

/**
 * `upTo` is the newest id of the page, as the previous page returned it in `next`. Without it, the page begins with the
 * newest event.
 */
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

/** If the events after `after` are no longer kept, this returns the oldest ones that are. */
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
