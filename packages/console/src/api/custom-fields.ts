import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

/** A form with more fields than this would be too slow to render. */
const MAX_IN_FORM = 500

interface Options {
  enabled?: boolean
  staleTime?: number
}

export function useCustomFields(store: string, options: Options = {}) {
  return useQuery({ queryKey: ['custom_fields', store, 'all'], queryFn: () => listCustomFields(store), ...options })
}

export async function listCustomFields(store: string): Promise<Schemas['CustomField'][]> {
  const fields: Schemas['CustomField'][] = []
  for await (const each of api.list('/admin/stores/{store_id}/custom_fields', {
    params: { path: { store_id: store } },
  })) {
    if (fields.push(each) === MAX_IN_FORM) break
  }
  return fields
}
