import { api, bodyOf, type Schemas } from '../../api/client.ts'
import type { List } from '../../api/pages.ts'
import { type AccessSearch, toQuery } from './filter.ts'

/** The newest first, unless the order says otherwise. */
export function listAccesses(
  store: string,
  { order, users, ...filter }: AccessSearch & { users?: string[] },
  client = api,
): List<Schemas['ProductAccess']> {
  return (after, { limit, signal }) => {
    const query = {
      ...toQuery(filter),
      ...(users && { user_ids: users.join(',') }),
      order: order ?? ('desc' as const),
      limit,
      ...(after !== undefined && { after }),
    }
    const page = bodyOf(
      client.GET('/admin/stores/{store_id}/product_accesses', { params: { path: { store_id: store }, query }, signal }),
    )
    return filter.due === 'none' ? withoutEnd(page) : page
  }
}

/** The service has no filter for them. A page may be short, as with the filters that it does have. */
async function withoutEnd<T extends { access_due_date: string | null }, P extends { data: T[] }>(page: Promise<P>) {
  const { data, ...rest } = await page
  return { ...rest, data: data.filter((access) => access.access_due_date === null) }
}
