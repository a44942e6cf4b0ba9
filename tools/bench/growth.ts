/**
 * Measures one store as it grows, with 2 KB of custom fields per user. The rows that a query reads must not depend on
 * the size of the store, or a large store would be slow and expensive.
 */
import { count } from './cost.ts'
import { buildBundle, host, migrate } from './host.ts'
import { load, type Request } from './load.ts'
import { ACCESSES, caller, type Fixture, type Operation, operationsFor, prepare, STORE, USERS } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const CHUNK = 10_000
const PAGE = 50
const SOON_MS = 30 * 86_400_000

export interface Growth {
  users: number
  operation: string
  p50: number
  p99: number
  rowsRead: number
}

export async function benchGrowth(bundle: string, settings: Settings, progress: Progress): Promise<Growth[]> {
  const hosted = await host([
    { name: 'ours', module: bundle },
    { name: 'counted', module: buildBundle('ours-probed', 'tools/bench/workers/service-probed.ts') },
  ])
  try {
    const db = await hosted.db()
    await migrate(db)
    const origin = await hosted.origin('ours')
    const counted = await hosted.origin('counted')
    const fixture = await prepare(origin)
    const measured: Growth[] = []
    let seeded = 0
    for (const users of settings.sizes) {
      for (; seeded < users; seeded += Math.min(CHUNK, users - seeded)) {
        if (seeded % 100_000 === 0) progress(`growth: seeding ${seeded} of ${users} users`)
        await seed(db, seeded, Math.min(CHUNK, users - seeded))
      }
      const operations = await growthOperations(db, fixture)
      for (const operation of operations) {
        progress(`growth: ${operation.name} among ${users} users`)
        const { name, next, status } = operation
        const options = { origin, connections: 1, next: () => next('ours'), status }
        await load({ ...options, milliseconds: settings.milliseconds * 3 })
        const { p50, p99 } = await load({ ...options, milliseconds: settings.milliseconds * 6 })
        measured.push({
          users,
          operation: name,
          p50,
          p99,
          rowsRead: (await count(operation, 'ours', counted)).rowsRead,
        })
      }
    }
    await checkFullPages(origin, fixture)
    return measured
  } finally {
    await hosted.stop()
  }
}

/** The operations use records from the whole store, because neighbors would be in the cache of SQLite. */
async function growthOperations(db: D1Database, fixture: Fixture): Promise<Operation[]> {
  const headers = { authorization: `Bearer ${fixture.token}` }
  const [users, accesses] = [await sample(db, 'users'), await sample(db, 'product_accesses')]
  const page = (name: string, path: (user: number, access: number) => string): Operation => ({
    name,
    status: 200,
    next: (): Request => {
      const i = Math.floor(Math.random() * users.length)
      return { method: 'GET', path: path(users[i] ?? 1, accesses[i] ?? 1), headers }
    },
  })
  const writes = operationsFor({ ...fixture, accessIds: accesses.map(String) })
  return [
    ...writes.filter(({ name }) => name === 'create' || name === 'update access'),
    page('a user', (user) => `${USERS}/${user}`),
    page('page of users', (user) => `${USERS}?limit=${PAGE}&after=${user}`),
    page('search among users', (user) => `${USERS}?limit=${PAGE}&q=seed-${user}`),
    page('search by two words of names', (user) => `${USERS}?limit=${PAGE}&q=lovelace+ada&after=n${user}`),
    page('search that finds nobody', (user) => `${USERS}?limit=${PAGE}&q=nobody+at+all&after=n${user}`),
    page('page of accesses', (_, access) => `${ACCESSES}?limit=${PAGE}&after=${access}`),
    page('page of one user’s accesses', (user) => `${ACCESSES}?limit=${PAGE}&user_id=${user}`),
    page(
      'page of one product’s accesses',
      (_, access) => `${ACCESSES}?limit=${PAGE}&product_id=${fixture.product_id}&after=${access}`,
    ),
    page(
      'filter that finds no access',
      () => `${ACCESSES}?limit=${PAGE}&due_before=${new Date(Date.now() + SOON_MS).toISOString()}`,
    ),
    page('page of events', (user) => `/v1/stores/${STORE}/events?limit=${PAGE}&after=${user}`),
    page('history of a user', (user) => `${USERS}/${user}/events?limit=${PAGE}`),
    page('history of an access', (_, access) => `${ACCESSES}/${access}/events?limit=${PAGE}`),
  ]
}

/** Throws unless the pages are full, because an empty page would read nothing and look fast. */
async function checkFullPages(origin: string, { token }: Fixture): Promise<void> {
  const call = caller(origin)
  for (const path of [USERS, ACCESSES, `/v1/stores/${STORE}/events`]) {
    const { data } = await call('GET', `${path}?limit=${PAGE}`, token)
    if (!Array.isArray(data) || data.length < PAGE) throw new Error(`${path} has no page of ${PAGE}`)
  }
}

/** The two fields have 1,000 characters, which is the maximum. */
const CUSTOM_FIELDS = JSON.stringify({ about: 'a'.repeat(1000), goals: 'g'.repeat(1000) })

/** Each user and access has four events: their creation and two changes of the access. */
const EVENTS = [
  { type: 'user.created', position: 0, subject: 0, previous: null, data: null },
  { type: 'product_access.granted', position: 1, subject: 1, previous: null, data: null },
  {
    type: 'product_access.updated',
    position: 2,
    subject: 1,
    previous: 1,
    data: '{"changes":{"access_due_date":{"from":null,"to":1893456000000}}}',
  },
  {
    type: 'product_access.progressed',
    position: 3,
    subject: 1,
    previous: 2,
    data: '{"fields":["progress","started_at"]}',
  },
]

/** Inserts users with an access each and their events, with ids after the newest event of the store. */
async function seed(db: D1Database, from: number, users: number): Promise<void> {
  const store = await db
    .prepare('select id >> 32 as store from stores where slug = ?')
    .bind(STORE)
    .first<number>('store')
  const newest = await db
    .prepare('select max(id) as newest from events where id >> 32 = ?')
    .bind(store)
    .first<number>('newest')
  const series = 'with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?1)'
  /** Returns the SQL of the id of the event at this position among those of user i. */
  const id = (position: number) => `?2 + 1 + i * ${EVENTS.length} + ${position}`
  const email = `'seed-' || (${id(0)} & 4294967295) || '@example.com'`
  const product = '(select min(id) from products where store = ?3)'
  await db.batch([
    db
      .prepare(
        `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
          external_id, custom_fields, created_at, updated_at, event_id)
        ${series} select ${id(0)}, ?3, ${email}, ${email}, 'Ada', 'Lovelace', 'ada', 'lovelace', 'student', 'EN', 'crm-' || (i + ?4), ?5,
          0, 0, ${id(0)} from n`,
      )
      .bind(users, newest, store, from, CUSTOM_FIELDS),
    db
      .prepare(
        `insert into product_accesses (id, store, user_id, product_id, status, access_due_date, progress, passed,
          created_at, event_id, changed_by)
        ${series} select ${id(1)}, ?3, ${id(0)}, ${product}, 'with_access', 4102444800000 + i, 50, 0, 0, ${id(3)},
          ${id(3)} from n`,
      )
      .bind(users, newest, store),
    ...EVENTS.map(({ type, position, subject, previous, data }) =>
      db
        .prepare(
          `insert into events (id, type, created_at, request_id, attempt, actor_id, subject_id, previous_id, user_id, product_id,
            data)
          ${series} select ${id(position)}, '${type}', ?5, lower(hex(randomblob(16))), 0, 0, ${id(subject)},
            ${previous === null ? 'null' : id(previous)}, ${subject === 0 ? 'null' : id(0)},
            ${subject === 0 ? 'null' : product}, ?4 from n`,
        )
        .bind(users, newest, store, data, Date.now()),
    ),
  ])
}

/** Returns ids of records that are spread over the whole table. */
async function sample(db: D1Database, table: 'users' | 'product_accesses'): Promise<number[]> {
  const { results } = await db
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 499)
      select (select id & 4294967295 from ${table} where id >= lowest + (highest - lowest) * i / 500 order by id limit 1) as n
      from n, (select min(id) as lowest, max(id) as highest from ${table})`,
    )
    .all<{ n: number }>()
  return results.map(({ n }) => n)
}
