import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'

/**
 * A menu with more stores than this is too long to search in. The screen of the stores has pages and shows them all.
 */
const MAX_IN_MENU = 1000

export function useAllStores() {
  return useQuery({ queryKey: ['stores', 'all'], queryFn: listAllStores, staleTime: 60_000 })
}

/** A store that is not among those of the menu is read on its own. */
export function useStoreRecord(id: string) {
  const all = useAllStores()
  const listed = all.data?.find((store) => store.id === id)
  const own = useQuery({
    queryKey: ['store', id],
    queryFn: () => bodyOf(api.GET('/admin/stores/{store_id}', { params: { path: { store_id: id } } })),
    enabled: !all.isLoading && listed === undefined,
  })
  return listed ? { data: listed, error: null, refetch: all.refetch } : own
}

/** Returns the id of the store until its name is known, and for a store that is not among those of the menu. */
export function useStoreName(id: string): string {
  return useAllStores().data?.find((store) => store.id === id)?.name ?? id
}

export async function listAllStores(): Promise<Schemas['Store'][]> {
  const stores: Schemas['Store'][] = []
  for await (const store of api.list('/admin/stores')) {
    if (stores.push(store) === MAX_IN_MENU) break
  }
  return stores
}
