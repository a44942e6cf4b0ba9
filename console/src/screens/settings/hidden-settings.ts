/**
 * Two settings that the API takes and does not show: whether the store is suspended, and its notice. They are told by
 * the store's events, of which the newest are searched: as many as can be while a reader waits.
 */
import { api, bodyOf } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'

const MAX_WINDOWS = 4
/** As many events as the service searches for one request. */
const WINDOW = 5_000
/** What a new store has. */
const DEFAULTS = { suspended: false, expiry_notice_days: 7 }

export interface HiddenSettings {
  /** Undefined: it cannot be told. */
  suspended: boolean | undefined
  expiry_notice_days: number | undefined
}

export async function readHiddenSettings(store: string): Promise<HiddenSettings> {
  const [status, told] = await Promise.all([bodyOf(api.GET('/admin/status')), readFromEvents(store)])
  return { ...told, suspended: status.stores.suspended === 0 ? false : told.suspended }
}

/** From the end of the feed to its beginning, window by window, until both are known. */
async function readFromEvents(store: string): Promise<HiddenSettings> {
  const { oldest, newest, isWhole } = await readRange(store)
  const told: HiddenSettings = { suspended: undefined, expiry_notice_days: undefined }
  let end = newest
  for (let i = 0; i < MAX_WINDOWS && end >= oldest; i++) {
    const begin = Math.max(oldest - 1, end - WINDOW)
    const found = await readWindow(store, begin < oldest ? undefined : String(begin))
    told.suspended ??= found.suspended
    told.expiry_notice_days ??= found.expiry_notice_days
    if (told.suspended !== undefined && told.expiry_notice_days !== undefined) return told
    end = begin
  }
  if (end >= oldest || !isWhole) return told
  return {
    suspended: told.suspended ?? DEFAULTS.suspended,
    expiry_notice_days: told.expiry_notice_days ?? DEFAULTS.expiry_notice_days,
  }
}

/** `isWhole`: the events go back to when the store was created. */
async function readRange(store: string) {
  const { data, response } = await api.GET('/admin/stores/{store_id}/events', {
    params: { path: { store_id: store }, query: { limit: 1 } },
  })
  if (data === undefined) throw failureOf(response, undefined)
  const [first] = data.data
  const newest = Number(response.headers.get('X-Newest-Id') ?? first?.id ?? 0)
  return { oldest: Number(first?.id ?? 1), newest, isWhole: first?.type === 'store.created' }
}

/** The newest values that its events name. */
async function readWindow(store: string, after: string | undefined): Promise<HiddenSettings> {
  const told: HiddenSettings = { suspended: undefined, expiry_notice_days: undefined }
  const query = { type: 'store.updated' as const, limit: 100, ...(after !== undefined && { after }) }
  const { data } = await bodyOf(
    api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id: store }, query } }),
  )
  for (const event of data) {
    if (event.type !== 'store.updated') continue
    const { suspended, expiry_notice_days: days } = event.data.changes
    if (suspended) told.suspended = suspended.to === true
    if (typeof days?.to === 'number') told.expiry_notice_days = days.to
  }
  return told
}
