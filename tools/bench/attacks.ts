/** What a store's callers might send, on purpose or by mistake, that is expensive for the service. */
import { createServer } from 'node:net'
import { lazy } from '../../src/lib/lazy.ts'
import { MAX_LENGTH } from '../../src/modules/users/user-fields.ts'
import { pause } from '../../src/lib/pause.ts'
import { DAY_MS, LENGTH, PAGE_LIMIT } from '../../src/limits.ts'
import { BULK } from '../../src/modules/bulk-changes/limits.ts'
import { JSON_TYPE } from './operations.ts'
import type { Request } from './load.ts'

export interface Attacker {
  store: string
  /** The rate limits count per token, so an attacker uses several, or those of several operators. */
  tokens: string[]
}

/** Calls the operator API, and throws unless the request succeeds. */
type CallAdmin = (method: string, path: string, body: object) => Promise<unknown>

export interface Attack {
  /** It is also the slug of the attacker's store. */
  id: string
  name: string
  connections: number
  /** The store has many users. */
  isLarge?: boolean
  /** Each of them has an access. */
  haveAccesses?: boolean
  /** The tokens were rotated, and the attack uses their old secrets. */
  hasOldSecrets?: boolean
  /** How much longer another store's update may take, if it is not the usual limit. */
  maxRatio?: number
  /** Operators send the requests. */
  isOperator?: boolean
  prepare?: (store: string, callAdmin: CallAdmin) => Promise<void>
  /** Returns request number `i`, without its token. */
  next: (attacker: Attacker, i: number) => Request
}

const PASSWORD = 'correct horse battery staple'
const UNKNOWN_FIELDS = 55_000
const DIGITS = 900_000
/** With this many texts, the custom fields of a user are nearly as large as they may be. */
const LARGE_FIELDS = 32
/** As many as a store may have. */
const DEAD_ENDPOINTS = 16
const EVENTS = 100
/** Nothing listens on the port of the discard protocol, and the name does not exist (RFC 6761). */
const DEAD_URLS = ['http://127.0.0.1:9/', 'https://nobody.invalid/']

const AT_ONCE: Attack[] = [
  {
    id: 'none',
    name: 'none',
    connections: 0,
    next: ({ store }) => get(`/v1/stores/${store}/users`),
  },
  {
    id: 'verify',
    name: '20 × `verify_password` at once',
    connections: 20,
    next: ({ store }, i) =>
      post(`/v1/stores/${store}/users/verify_password`, { email: `nobody-${i}@example.com`, password: PASSWORD }),
  },
  {
    id: 'passwords',
    name: '20 creates with a password at once',
    connections: 20,
    next: ({ store }, i) => post(`/v1/stores/${store}/users`, { ...user(i), password: PASSWORD }),
  },
  {
    id: 'password-batches',
    name: '10 batches with ten passwords each at once',
    connections: 10,
    next: ({ store }, i) => {
      const items = Array.from({ length: 10 }, (_, k) => ({ ...user(i * 10 + k), password: PASSWORD }))
      return post(`/v1/stores/${store}/users/batch`, { items })
    },
  },
  {
    id: 'unknown-fields',
    name: '10 batches with 900 KB of unknown custom fields at once',
    connections: 10,
    next: ({ store }) => ({ ...post(`/v1/stores/${store}/users/batch`, {}), body: unknownFields() }),
  },
  {
    id: 'long-numbers',
    name: 'numbers of 900,000 digits, and pages of users as large as they may be, 4 at once',
    connections: 4,
    prepare: async (store, callAdmin) => {
      const keys = ['size', ...Array.from({ length: LARGE_FIELDS }, (_, i) => `text${i}`)]
      for (const key of keys) await callAdmin('PUT', `/admin/stores/${store}/custom_fields/${key}`, {})
      const custom_fields = Object.fromEntries(keys.slice(1).map((key) => [key, 'x'.repeat(LENGTH.customFieldValue)]))
      for (let sent = 0; sent < 100; sent += 20) {
        const items = Array.from({ length: 20 }, (_, i) => ({
          ...user(`large-${sent + i}`),
          avatar: 'x'.repeat(MAX_LENGTH.avatar),
          custom_fields,
        }))
        await callAdmin('POST', `/admin/stores/${store}/users/batch`, { items })
      }
    },
    next: ({ store }, i) => {
      if (i % 8 > 3) return get(`/v1/stores/${store}/users?limit=100`)
      const item = JSON.stringify({ ...user(i), custom_fields: { size: 0 } }).replace('"size":0', longNumber)
      return { ...post(`/v1/stores/${store}/users/batch`, {}), body: `{"items":[${item}]}` }
    },
  },
  {
    id: 'batches',
    name: '10 batches of 100 users at once',
    connections: 10,
    next: ({ store }, i) =>
      post(`/v1/stores/${store}/users/batch`, { items: Array.from({ length: 100 }, (_, k) => user(i * 100 + k)) }),
  },
  {
    id: 'search',
    name: '10 searches that find nobody at once',
    connections: 10,
    isLarge: true,
    next: ({ store }) => get(`/v1/stores/${store}/users?q=nobody`),
  },
  {
    id: 'filters',
    name: '10 lists of accesses whose filter finds none at once',
    connections: 10,
    maxRatio: 2,
    isLarge: true,
    haveAccesses: true,
    next: ({ store }) => get(`/v1/stores/${store}/product_accesses?due_before=2001-01-01T00:00:00Z`),
  },
  {
    id: 'filters-and-events',
    name: '12 lists of accesses and of events whose filters find nothing at once',
    connections: 12,
    maxRatio: 2,
    isLarge: true,
    haveAccesses: true,
    next: ({ store }, i) =>
      i % 24 < 12
        ? get(`/v1/stores/${store}/product_accesses?due_after=9000-01-01T00:00:00Z&limit=100`)
        : get(`/v1/stores/${store}/events?type=user.erased&limit=100`),
  },
  {
    id: 'dry-runs',
    name: 'dry runs of a bulk change of all accesses, 4 at once',
    connections: 4,
    isLarge: true,
    haveAccesses: true,
    next: ({ store }) =>
      post(`/v1/stores/${store}/bulk_changes`, {
        filter: {},
        change: { status: 'without_access' },
        dry_run: true,
      }),
  },
  {
    id: 'bulk-changes',
    name: '12 pages of bulk changes, each for a thousand users, at once',
    connections: 12,
    prepare: async (store, callAdmin) => {
      const user_ids: string[] = []
      while (user_ids.length < BULK.users) {
        const items = Array.from({ length: 100 }, (_, i) => user(user_ids.length + i))
        const created = JSON.stringify(await callAdmin('POST', `/admin/stores/${store}/users/batch`, { items }))
        user_ids.push(...Array.from(created.matchAll(/"id":"(\d+)"/g), ([, id = '']) => id))
      }
      const dryRun = { filter: { user_ids }, change: { status: 'with_access' }, dry_run: true }
      for (let i = 0; i < PAGE_LIMIT.max; i++) {
        await callAdmin('POST', `/admin/stores/${store}/bulk_changes`, dryRun)
        // Only so many may not have ended.
        await pause(200)
      }
    },
    next: ({ store }) => get(`/v1/stores/${store}/bulk_changes?limit=${PAGE_LIMIT.max}`),
  },
  {
    id: 'revoked',
    name: 'creates with a secret that was rotated, 20 at once',
    connections: 20,
    hasOldSecrets: true,
    next: ({ store }, i) => post(`/v1/stores/${store}/users`, user(i)),
  },
  {
    id: 'csv',
    name: '5 CSV files of all users at once',
    connections: 5,
    isLarge: true,
    isOperator: true,
    next: ({ store }) => get(`/admin/stores/${store}/users.csv`),
  },
  {
    id: 'csv-search',
    name: '5 CSV files of a search that finds nobody at once',
    connections: 5,
    isLarge: true,
    isOperator: true,
    next: ({ store }) => get(`/admin/stores/${store}/users.csv?q=nobody`),
  },
  {
    id: 'due-dates',
    name: 'batches of 100 users whose accesses are about to end, 2 at once',
    connections: 2,
    prepare: async (store, callAdmin) => {
      await callAdmin('POST', `/admin/stores/${store}/products`, { name: 'P', slug: 'p', type: 'course' })
    },
    next: ({ store }, i) => {
      const access_due_date = new Date(Date.now() + DAY_MS).toISOString()
      const items = Array.from({ length: 100 }, (_, k) => ({
        ...user(i * 100 + k),
        product_accesses: [{ slug: 'p', access_due_date }],
      }))
      return post(`/v1/stores/${store}/users/batch`, { items })
    },
  },
  {
    id: 'stats',
    name: 'statistics, 10 at once',
    connections: 10,
    isLarge: true,
    isOperator: true,
    next: ({ store }) => get(`/admin/stores/${store}/stats?days=90`),
  },
  {
    id: 'dead-endpoints',
    name: `${DEAD_ENDPOINTS} dead webhook endpoints with ${EVENTS} events each`,
    connections: 0,
    prepare: async (store, callAdmin) => {
      const urls = [...DEAD_URLS, await startSilentHost()]
      for (let i = 0; i < DEAD_ENDPOINTS; i++) {
        await callAdmin('POST', `/admin/stores/${store}/webhook_endpoints`, { url: `${urls[i % urls.length]}${i}` })
      }
      await callAdmin('POST', `/admin/stores/${store}/users/batch`, {
        items: Array.from({ length: EVENTS }, (_, i) => user(i)),
      })
    },
    next: ({ store }) => get(`/v1/stores/${store}/users`),
  },
]

/** With one connection, the attacker waits for each response. The next request then finds no other in its way. */
const IN_TURN: Record<string, string> = {
  'unknown-fields': 'batches with 900 KB of unknown custom fields, one after another',
  'long-numbers': 'pages of users as large as they may be, one after another',
  batches: 'batches of 100 users, one after another',
  'dry-runs': 'dry runs of a bulk change of all accesses, one after another',
  csv: 'CSV files of all users, one after another',
}

export const ATTACKS: Attack[] = AT_ONCE.flatMap((attack) => {
  const name = IN_TURN[attack.id]
  return name === undefined ? [attack] : [attack, { ...attack, id: `${attack.id}-in-turn`, name, connections: 1 }]
})

const longNumber = `"size":${'7'.repeat(DIGITS)}`

/** The body is made once, or the attacker would be busier than the service. */
const unknownFields = lazy(() => {
  const custom_fields = Object.fromEntries(Array.from({ length: UNKNOWN_FIELDS }, (_, i) => [`unknown${i}`, 1]))
  return JSON.stringify({ items: [{ ...user(0), custom_fields }] })
})

/** Accepts connections and never responds. Returns its URL. */
async function startSilentHost(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).resume()).unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}/`
}

function user(i: number | string) {
  return { name: 'Ada', last_name: 'Lovelace', email: `a${i}@example.com` }
}

function post(path: string, body: object): Request {
  return { method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) }
}

function get(path: string): Request {
  return { method: 'GET', path, headers: {} }
}
