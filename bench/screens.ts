/**
 * What each screen of the console asks when it is opened, with the requests after each other, and what D1 reads for it.
 * The browser asks some of them side by side, so that a screen is there sooner than that.
 */
import { ADMIN_TOKEN } from './host.ts'
import { median } from './load.ts'
import { STORE } from './operations.ts'
import type { Counts } from './workers/probe.ts'

export interface Screen {
  users: number
  screen: string
  requests: number
  /** Milliseconds, the median of some openings. */
  time: number
  rowsRead: number
}

interface Origins {
  ours: string
  /** Where rows are counted. */
  counted: string
}

interface Numbers {
  user: number
  access: number
}

const OPENINGS = 7
const DAY_MS = 86_400_000
const inStore = `/admin/stores/${STORE}`
/** Around every screen: who asks, and the stores to choose from. */
const FRAME = ['/admin/operator', '/admin/stores?limit=100']

/** Paths in the order of console/src/screens; the user and the access are some in the middle of the store. */
function screensOf({ user, access }: Numbers): Record<string, string[]> {
  const soon = new Date(Date.now() + 30 * DAY_MS).toISOString()
  return {
    overview: ['/admin/status', `${inStore}/stats?days=30`],
    users: [`${inStore}/users`],
    'users, a search': [`${inStore}/users?q=seed-${user}`, `${inStore}/users?external_id=seed-${user}`],
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
    settings: [inStore, '/admin/status', `${inStore}/events?type=store.updated&limit=100`, `${inStore}/events?limit=1`],
    stores: ['/admin/stores'],
    operators: ['/admin/operators', '/admin/events?limit=1'],
  }
}

export async function measureScreens(origins: Origins, users: number, numbers: Numbers): Promise<Screen[]> {
  const measured: Screen[] = []
  for (const [screen, asked] of Object.entries(screensOf(numbers))) {
    const paths = [...FRAME, ...asked]
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

/** Milliseconds until the last has answered. */
async function open(origin: string, paths: string[]): Promise<number> {
  const started = performance.now()
  for (const path of paths) {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  }
  return performance.now() - started
}

/** Since it was asked before. */
async function readRows(origin: string): Promise<number> {
  const response = await fetch(`${origin}/__probe`)
  const { rowsRead }: Counts = JSON.parse(await response.text())
  return rowsRead
}
