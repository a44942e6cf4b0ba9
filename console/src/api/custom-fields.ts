import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'

/** A form with more fields than this would be too slow to render. */
const MAX_IN_FORM = 500

interface Options {
  enabled?: boolean
  staleTime?: number
}

export function useCustomFields(store: string, options: Options = {}) {
  return useQuery({ queryKey: ['custom_fields', store, 'all'], queryFn: () => listCustomFields(store), ...options })
}

async function listCustomFields(store: string): Promise<Schemas['CustomField'][]> {
  const fields: Schemas['CustomField'][] = []
  let after: string | undefined
  do {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const page = await bodyOf(
      api.GET('/admin/stores/{store_id}/custom_fields', { params: { path: { store_id: store }, query } }),
    )
    fields.push(...page.data)
    after = page.next ?? undefined
  } while (after !== undefined && fields.length < MAX_IN_FORM)
  return fields
}
