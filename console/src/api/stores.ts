import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'

/**
 * A menu with more stores than this is too long to search in. The screen of the stores has pages and shows them all.
 */
const MAX_IN_MENU = 1000

export function useAllStores() {
  return useQuery({ queryKey: ['stores', 'all'], queryFn: listAllStores, staleTime: 60_000 })
}

/** Returns the id of the store until its name is known, and for a store that is not among those of the menu. */
export function useStoreName(id: string): string {
  return useAllStores().data?.find((store) => store.id === id)?.name ?? id
}

export async function listAllStores(): Promise<Schemas['Store'][]> {
  const stores: Schemas['Store'][] = []
  let after: string | undefined
  do {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const page = await bodyOf(api.GET('/admin/stores', { params: { query } }))
    stores.push(...page.data)
    after = page.next ?? undefined
  } while (after !== undefined && stores.length < MAX_IN_MENU)
  return stores
}
