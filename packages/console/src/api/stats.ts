import { useQuery } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'

/** The service counts once a minute. */
const REFRESH_MS = 60_000

/** The counts of a store, and what happened on each of the last days. */
export function useStats(store: string, days = 30) {
  return useQuery({
    queryKey: ['stats', store, days],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/stats', { params: { path: { store_id: store }, query: { days } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  })
}
