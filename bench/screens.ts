/**
 * Measures the requests of each screen of the console when it opens, and the rows that D1 reads for them. They are sent
 * one after another here; a browser sends some at the same time, so a screen opens faster than measured.
 */
import { ADMIN_TOKEN } from './host.ts'
import { median } from './load.ts'
import { STORE } from './operations.ts'
import type { Counts } from './workers/probe.ts'

export interface Screen {
  users: number
  screen: string
  requests: number
  /** The median of some openings, in milliseconds. */
  time: number
  rowsRead: number
}

interface Origins {
  ours: string
  /** The Worker with this origin counts rows. */
  counted: string
}

interface Ids {
  user: number
  access: number
}

const OPENINGS = 7
const DAY_MS = 86_400_000
const inStore = `/admin/stores/${STORE}`
/** Every screen requests the operator and the stores for its frame. */
const FRAME = ['/admin/operator', '/admin/stores?limit=100']

/** The paths are in the order of console/src/screens; the user and the access are in the middle of the store. */
function screensOf({ user, access }: Ids): Record<string, string[]> {
  const soon = new Date(Date.now() + 30 * DAY_MS).toISOString()
  return {
    overview: ['/admin/status', `${inStore}/stats?days=30`],
    users: [`${inStore}/users`],
    'users, a search': [`${inStore}/users?q=seed-${user}`, `${inStore}/users?external_id=seed-${user}`],
    'users, a search that finds nobody': [`${inStore}/users?q=nobody+at+all`, `${inStore}/users?external_id=nobody`],
    'one user': [
      `${inStore}/users/${user}`,
      `${inStore}/custom_fields?limit=100`,
      `${inStore}/product_accesses?user_id=${user}&limit=100`,
      `${inStore}/users/${user}/events?limit=20`,
      `${inStore}/product_accesses/${access}/events?limit=20`,
    ],
    accesses: [`${inStore}/products?limit=100`, `${inStore}/product_accesses`],
    'accesses, due soon': [`${inStore}/products?limit=100`, `${inStore}/product_accesses?due_before=${soon}`],
    products: [`${inStore}/products`],
    'custom fields': [`${inStore}/custom_fields`],
    tokens: [`${inStore}/tokens`],
    webhooks: [`${inStore}/webhook_endpoints`],
    events: [`${inStore}/events?limit=1`, `${inStore}/events?limit=100&after=${user}`],
    settings: [inStore],
    stores: ['/admin/stores'],
    operators: ['/admin/operators', '/admin/events?limit=1'],
  }
}

export async function measureScreens(origins: Origins, users: number, ids: Ids): Promise<Screen[]> {
  const measured: Screen[] = []
  for (const [screen, own] of Object.entries(screensOf(ids))) {
    const paths = [...FRAME, ...own]
    const times: number[] = []
    for (let i = 0; i < OPENINGS; i++) times.push(await open(origins.ours, paths))
    await readRows(origins.counted)
    await open(origins.counted, paths)
    measured.push({
      users,
      screen,
      requests: paths.length,
      time: median(times),
      rowsRead: await readRows(origins.counted),
    })
  }
  return measured
}

/** Returns the milliseconds until the last response. */
async function open(origin: string, paths: string[]): Promise<number> {
  const started = performance.now()
  for (const path of paths) {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`)
  }
  return performance.now() - started
}

/** Returns the rows read since the last call. */
async function readRows(origin: string): Promise<number> {
  const response = await fetch(`${origin}/__probe`)
  const { rowsRead }: Counts = JSON.parse(await response.text())
  return rowsRead
}
