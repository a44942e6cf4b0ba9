import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

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
  for await (const each of api.list('/admin/stores/{store_id}/products', { params: { path: { store_id: store } } })) {
    if (products.push(each) === MAX_IN_MENU) break
  }
  return products
}
