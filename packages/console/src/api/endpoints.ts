import { useQuery } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'

const REFRESH_MS = 60_000

/** The webhook endpoints of a store that do not work. Nobody looks at them unless the menu says so. */
export function useTroubledEndpoints(store: string | undefined) {
  const { data } = useQuery({
    queryKey: ['webhooks', store, 'troubled'],
    queryFn: ({ signal }) => {
      const params = { path: { store_id: store ?? '' }, query: { limit: 100 } }
      return bodyOf(api.GET('/admin/stores/{store_id}/webhook_endpoints', { params, signal }))
    },
    enabled: store !== undefined,
    refetchInterval: REFRESH_MS,
  })
  return data?.data.filter(({ state }) => state !== 'ok') ?? []
}
