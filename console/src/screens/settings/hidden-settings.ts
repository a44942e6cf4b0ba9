/**
 * Two settings that the API takes and does not show: whether the store is suspended, and its notice. They are told by
 * the store's events, as far as those are kept and few enough to be searched while a reader waits.
 */
import { api, bodyOf } from '../../api/client.ts'

const MAX_REQUESTS = 4
/** What a new store has. */
const DEFAULTS = { suspended: false, expiry_notice_days: 7 }

export interface HiddenSettings {
  /** Undefined: it cannot be told. */
  suspended: boolean | undefined
  expiry_notice_days: number | undefined
}

export async function readHiddenSettings(store: string): Promise<HiddenSettings> {
  const [status, found] = await Promise.all([bodyOf(api.GET('/admin/status')), readChanges(store)])
  const suspended = status.stores.suspended === 0 ? false : found?.suspended
  const told = { suspended, expiry_notice_days: found?.expiry_notice_days }
  if (found === undefined || (told.suspended !== undefined && told.expiry_notice_days !== undefined)) return told
  if (!(await isWholeHistory(store))) return told
  return {
    suspended: told.suspended ?? DEFAULTS.suspended,
    expiry_notice_days: told.expiry_notice_days ?? DEFAULTS.expiry_notice_days,
  }
}

/** The newest values that events name; undefined where there are too many events to come to the newest. */
async function readChanges(store: string): Promise<HiddenSettings | undefined> {
  const told: HiddenSettings = { suspended: undefined, expiry_notice_days: undefined }
  let after: string | undefined
  for (let i = 0; i < MAX_REQUESTS; i++) {
    const page = await bodyOf(
      api.GET('/admin/stores/{store_id}/events', {
        params: {
          path: { store_id: store },
          query: { type: 'store.updated', limit: 100, ...(after !== undefined && { after }) },
        },
      }),
    )
    for (const event of page.data) {
      if (event.type !== 'store.updated') continue
      const { suspended, expiry_notice_days: days } = event.data.changes
      if (suspended) told.suspended = suspended.to === true
      if (typeof days?.to === 'number') told.expiry_notice_days = days.to
    }
    if (page.next === null) return told
    after = page.next
  }
  return undefined
}

async function isWholeHistory(store: string): Promise<boolean> {
  const { data } = await bodyOf(
    api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id: store }, query: { limit: 1 } } }),
  )
  return data[0]?.type === 'store.created'
}
