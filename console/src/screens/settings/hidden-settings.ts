/**
 * Finds two settings that the API accepts but does not return: the suspension of a store and its days of notice. They
 * are taken from the newest events of the store. The search is limited, because the operator waits for it.
 */
import { api, bodyOf } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'

const MAX_REQUESTS = 4
/** The API searches this many events per request. */
const MAX_SEARCHED = 5_000
/** The settings of a new store. */
const DEFAULTS = { suspended: false, expiry_notice_days: 7 }

export interface HiddenSettings {
  /** Undefined if it is unknown. */
  suspended: boolean | undefined
  expiry_notice_days: number | undefined
}

export async function readHiddenSettings(store: string): Promise<HiddenSettings> {
  const [status, fromEvents] = await Promise.all([bodyOf(api.GET('/admin/status')), readFromEvents(store)])
  return { ...fromEvents, suspended: status.stores.suspended === 0 ? false : fromEvents.suspended }
}

/** Searches the feed from its end to its beginning until both settings are found. */
async function readFromEvents(store: string): Promise<HiddenSettings> {
  const { oldest, newest, isWhole } = await readRange(store)
  const known: HiddenSettings = { suspended: undefined, expiry_notice_days: undefined }
  let end = newest
  for (let i = 0; i < MAX_REQUESTS && end >= oldest; i++) {
    const begin = Math.max(oldest - 1, end - MAX_SEARCHED)
    const found = await readWindow(store, begin < oldest ? undefined : String(begin))
    known.suspended ??= found.suspended
    known.expiry_notice_days ??= found.expiry_notice_days
    if (known.suspended !== undefined && known.expiry_notice_days !== undefined) return known
    end = begin
  }
  if (end >= oldest || !isWhole) return known
  return {
    suspended: known.suspended ?? DEFAULTS.suspended,
    expiry_notice_days: known.expiry_notice_days ?? DEFAULTS.expiry_notice_days,
  }
}

/**
 * `isWhole` is true if the feed still has the creation of the store. A setting without an event then has its default.
 */
async function readRange(store: string) {
  const { data, response } = await api.GET('/admin/stores/{store_id}/events', {
    params: { path: { store_id: store }, query: { limit: 1 } },
  })
  if (data === undefined) throw failureOf(response, undefined)
  const [first] = data.data
  const newest = Number(response.headers.get('X-Newest-Id') ?? first?.id ?? 0)
  return { oldest: Number(first?.id ?? 1), newest, isWhole: first?.type === 'store.created' }
}

/** Returns the newest values in one range of events. */
async function readWindow(store: string, after: string | undefined): Promise<HiddenSettings> {
  const known: HiddenSettings = { suspended: undefined, expiry_notice_days: undefined }
  const query = { type: 'store.updated' as const, limit: 100, ...(after !== undefined && { after }) }
  const { data } = await bodyOf(
    api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id: store }, query } }),
  )
  for (const event of data) {
    if (event.type !== 'store.updated') continue
    const { suspended, expiry_notice_days: days } = event.data.changes
    if (suspended) known.suspended = suspended.to === true
    if (typeof days?.to === 'number') known.expiry_notice_days = days.to
  }
  return known
}
