import { api, bodyOf, type Schemas } from '../../api/client.ts'
import type { List } from '../../api/pages.ts'
import { type AccessSearch, toQuery } from './filter.ts'

/** The newest first, unless the order says otherwise. */
export function listAccesses(
  store: string,
  { order, ...filter }: AccessSearch,
  client = api,
): List<Schemas['ProductAccess']> {
  return (after, { limit, signal }) => {
    const query = {
      ...toQuery(filter),
      order: order ?? ('desc' as const),
      limit,
      ...(after !== undefined && { after }),
    }
    return bodyOf(
      client.GET('/admin/stores/{store_id}/product_accesses', { params: { path: { store_id: store }, query }, signal }),
    )
  }
}
