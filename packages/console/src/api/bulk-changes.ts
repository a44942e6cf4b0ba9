/** Bulk changes: the service carries them out, whether or not the console is open. */
import { useQuery } from '@tanstack/react-query'
import type { OrderSearch } from '../address.ts'
import { api, bodyOf, type Schemas } from './client.ts'
import { toFailure } from './failure.ts'

export type NewBulkChange = Pick<Schemas['CreateBulkChange'], 'filter' | 'change'>
export type BulkChange = Awaited<ReturnType<typeof readBulkChange>>

const WATCHED_MS = 1_500
/** How soon a bulk change that someone else has started shows up. */
const UNWATCHED_MS = 30_000
/** The newest ones; the maximum of the API. */
const NEWEST = 100

export function isRunning({ state }: Pick<BulkChange, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Cancels each, and passes over those that have ended meanwhile. */
export async function cancelBulkChanges(store: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    const params = { path: { store_id: store, id } }
    try {
      await api.POST('/admin/stores/{store_id}/bulk_changes/{id}/cancel', { params })
    } catch (error) {
      if (toFailure(error).code !== 'not_running') throw error
    }
  }
}

export function startBulkChange(store: string, body: NewBulkChange & { dry_run?: boolean }, key: string) {
  return bodyOf(
    api.POST('/admin/stores/{store_id}/bulk_changes', {
      params: { path: { store_id: store }, header: { 'X-Idempotency-Key': key } },
      body,
    }),
  )
}

function readBulkChange(store: string, id: string, signal?: AbortSignal) {
  return bodyOf(
    api.GET('/admin/stores/{store_id}/bulk_changes/{id}', {
      params: { path: { store_id: store, id } },
      ...(signal && { signal }),
    }),
  )
}

/** The newest first, unless the order says otherwise. */
export function listBulkChanges(
  store: string,
  query: OrderSearch & { after?: string; limit: number },
  signal: AbortSignal,
) {
  return bodyOf(
    api.GET('/admin/stores/{store_id}/bulk_changes', { params: { path: { store_id: store }, query }, signal }),
  )
}

/** One bulk change, which is read again until it has ended. It is not read at all without an id. */
export function useBulkChange(store: string, id: string | undefined) {
  return useQuery({
    queryKey: ['bulk_changes', store, 'one', id],
    queryFn: ({ signal }) => readBulkChange(store, id ?? '', signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollInterval(state),
  })
}

interface Polled {
  data: Pick<BulkChange, 'state'> | undefined
  error: Error | null
}

/** Asking again would not help after a rejection, such as 404, unless it only says that there are too many requests. */
export function pollInterval({ data, error }: Polled): number | false {
  const { status } = toFailure(error)
  const isRejected = status >= 400 && status < 500 && status !== 429
  return !isRejected && (data === undefined || isRunning(data)) ? WATCHED_MS : false
}

/** The newest bulk changes of the store, without dry runs. */
export function useNewestBulkChanges(store: string | undefined) {
  return useQuery({
    queryKey: ['bulk_changes', store, 'newest'],
    queryFn: async ({ signal }) => {
      const { data } = await listBulkChanges(store ?? '', { limit: NEWEST }, signal)
      return data.filter(({ dry_run }) => !dry_run)
    },
    enabled: store !== undefined,
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) === true ? WATCHED_MS : UNWATCHED_MS),
  })
}
