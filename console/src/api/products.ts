import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'

/** A menu with more products than this is too long to search in. */
const MAX_IN_MENU = 500

interface Options {
  enabled?: boolean
  staleTime?: number
}

export function useProducts(store: string, options: Options = {}) {
  return useQuery({ queryKey: ['products', store, 'all'], queryFn: () => listProducts(store), ...options })
}

async function listProducts(store: string): Promise<Schemas['Product'][]> {
  const products: Schemas['Product'][] = []
  let after: string | undefined
  do {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const page = await bodyOf(
      api.GET('/admin/stores/{store_id}/products', { params: { path: { store_id: store }, query } }),
    )
    products.push(...page.data)
    after = page.next ?? undefined
  } while (after !== undefined && products.length < MAX_IN_MENU)
  return products
}
