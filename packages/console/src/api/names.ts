/** Names of records that the API only refers to by their ids. */
import { useQuery } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'
import { useCustomFields } from './custom-fields.ts'
import { useProducts } from './products.ts'

/** The maximum of `ids`. */
const MAX_IDS = 100
const MENU_LIMIT = 100
/** Names rarely change, and a list that is read every few seconds must not ask for them each time. */
const STALE_MS = 300_000

/** Returns undefined until the name is known, and for a user who was erased. */
export function useUserName(store: string, id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['names', store, 'user', id],
    queryFn: () => nameOfUser(store, id ?? ''),
    enabled: id !== undefined,
    staleTime: STALE_MS,
  })
  return data ?? undefined
}

/** Names the user and the product of an access. Undefined until they are known, and for an access that is gone. */
export function useAccessName(store: string, id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['names', store, 'access', id],
    queryFn: () => {
      const path = { store_id: store, id: id ?? '' }
      return bodyOf(api.GET('/admin/stores/{store_id}/product_accesses/{id}', { params: { path } }))
    },
    enabled: id !== undefined,
    staleTime: STALE_MS,
  })
  return data && `${data.user.name} ${data.user.last_name} · ${data.product.name}`
}

/** Returns undefined until the name is known, and for a product that was deleted. */
export function useProductName(store: string, id: string | undefined): string | undefined {
  const { data: products } = useProducts(store, { enabled: id !== undefined, staleTime: STALE_MS })
  return products?.find((product) => product.id === id)?.name
}

/** The newest tokens of a store. */
export function useTokens(store: string, enabled: boolean) {
  const { data = [] } = useQuery({
    queryKey: ['names', store, 'tokens'],
    queryFn: async () => {
      const query = { limit: MENU_LIMIT, order: 'desc' as const }
      const path = { store_id: store }
      return (await bodyOf(api.GET('/admin/stores/{store_id}/tokens', { params: { path, query } }))).data
    },
    enabled,
    staleTime: STALE_MS,
  })
  return data
}

/** The name of one of the newest tokens. */
export function useTokenName(store: string, id: string | undefined): string | undefined {
  return useTokens(store, id !== undefined).find((token) => token.id === id)?.name
}

/** The URL of an endpoint. Undefined until it is known, and for an endpoint that was deleted. */
export function useWebhookUrl(store: string, id: string | undefined): string | undefined {
  const { data: endpoints } = useQuery({
    queryKey: ['names', store, 'webhooks'],
    queryFn: async () => {
      const params = { path: { store_id: store }, query: { limit: MENU_LIMIT } }
      return (await bodyOf(api.GET('/admin/stores/{store_id}/webhook_endpoints', { params }))).data
    },
    enabled: id !== undefined,
    staleTime: STALE_MS,
  })
  return endpoints?.find((endpoint) => endpoint.id === id)?.url
}

/** Undefined until the label is known, and for a custom field that has none or was deleted. */
export function useCustomFieldLabel(store: string, key: string | undefined): string | undefined {
  const { data: fields } = useCustomFields(store, { enabled: key !== undefined, staleTime: STALE_MS })
  return fields?.find((field) => field.key === key)?.label ?? undefined
}

interface Batch {
  ids: Set<string>
  names: Promise<ReadonlyMap<string, string>>
}

/** The lookups of a store that have not been sent yet. */
const batches = new Map<string, Batch>()

/** Sends one request for all names that one screen asks for at the same time. */
async function nameOfUser(store: string, id: string): Promise<string | null> {
  let batch = batches.get(store)
  if (batch === undefined || batch.ids.size === MAX_IDS) {
    const ids = new Set<string>()
    batch = { ids, names: sendSoon(store, ids) }
    batches.set(store, batch)
  }
  batch.ids.add(id)
  return (await batch.names).get(id) ?? null
}

async function sendSoon(store: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  await new Promise((resolve) => {
    setTimeout(resolve)
  })
  if (batches.get(store)?.ids === ids) batches.delete(store)
  const { data } = await bodyOf(
    api.GET('/admin/stores/{store_id}/users', {
      params: { path: { store_id: store }, query: { ids: [...ids].join(','), limit: MAX_IDS } },
    }),
  )
  return new Map(data.map((user) => [user.id, `${user.name} ${user.last_name}`]))
}
