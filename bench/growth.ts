/** Create and update in one store as it grows: what a query reads must not depend on what there is. */
import { readCounts } from './cost.ts'
import { buildBundle, host, migrate } from './host.ts'
import { load } from './load.ts'
import { operationsFor, prepare, STORE } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const CHUNK = 20_000
const COUNTED_REQUESTS = 20

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
    { name: 'counted', module: buildBundle('ours-probed', 'bench/workers/service-probed.ts') },
  ])
  try {
    const db = await hosted.db()
    await migrate(db)
    const origin = await hosted.origin('ours')
    const counted = await hosted.origin('counted')
    const fixture = await prepare(origin)
    const { accessIds } = fixture
    const measured: Growth[] = []
    let seeded = 0
    for (const users of settings.sizes) {
      for (; seeded < users; seeded += Math.min(CHUNK, users - seeded)) {
        if (seeded % 100_000 === 0) progress(`growth: seeding ${seeded} of ${users} users`)
        await seed(db, seeded, Math.min(CHUNK, users - seeded))
      }
      accessIds.splice(0, accessIds.length, ...(await sampleAccesses(db)))
      for (const operation of operationsFor(fixture)) {
        if (operation.name !== 'create' && operation.name !== 'update access') continue
        progress(`growth: ${operation.name} among ${users} users`)
        const options = { connections: 1, next: operation.ours, status: operation.status }
        const time = settings.milliseconds
        await load({ ...options, origin, milliseconds: time / 2 })
        const { p50, p99 } = await load({ ...options, origin, milliseconds: time * 3 })
        const rowsRead = await countRows(counted, operation)
        measured.push({ users, operation: operation.name, p50, p99, rowsRead })
      }
    }
    return measured
  } finally {
    await hosted.stop()
  }
}

async function countRows(
  origin: string,
  { ours, status }: { ours: () => { path: string }; status: number },
): Promise<number> {
  for (let i = 0; i <= COUNTED_REQUESTS; i++) {
    // The first makes the token known and does not count.
    if (i === 1) await readCounts(origin)
    const { path, ...init } = ours()
    const response = await fetch(origin + path, init)
    await response.text()
    if (response.status !== status) throw new Error(`${path} answered ${response.status}`)
  }
  return (await readCounts(origin)).rowsRead / COUNTED_REQUESTS
}

/** What has happened to each user, with what the events hold of it. */
const HISTORY = `values ('user.created', null), ('product_access.granted', null),
  ('product_access.updated', '{"access_due_date":{"from":null,"to":1893456000000}}'),
  ('product_access.progressed', '{"progress":{"from":0,"to":50},"started_at":{"from":null,"to":1763683200000}}')`

/** Users with an access each and their events, all indexes filled. */
async function seed(db: D1Database, from: number, count: number): Promise<void> {
  const numbers = `with recursive n(i) as (select ?1 union all select i + 1 from n where i + 1 < ?1 + ?2)`
  const email = `'seed-' || i || '@example.com'`
  await db.batch([
    db
      .prepare(
        `insert into users (store_id, request_id, email_key, email, name, last_name, role, language, external_id,
          created_at, updated_at)
        ${numbers} select '${STORE}', 'seed', ${email}, ${email}, 'Ada', 'Lovelace', 'student', 'EN', 'crm-' || i, 0, 0
        from n`,
      )
      .bind(from, count),
    db
      .prepare(
        `insert into product_accesses (store_id, user_id, product_id, status, progress, passed, created_at)
        select store_id, id, (select min(id) from products), 'with_access', 0, 0, 0 from users
        where id > (select max(user_id) from product_accesses) and request_id = 'seed'`,
      )
      .bind(),
    db
      .prepare(
        `insert into events (store_id, type, created_at, request_id, token_id, user_id, product_id, product_access_id,
          changes)
        select a.store_id, h.column1, 0, lower(hex(randomblob(16))), 1, a.user_id, a.product_id, a.id, h.column2
        from product_accesses a cross join (${HISTORY}) h
        where a.id > (select max(id) from product_accesses) - ? order by a.id`,
      )
      .bind(count),
  ])
}

/** Spread over the whole table. */
async function sampleAccesses(db: D1Database): Promise<string[]> {
  const row = await db.prepare('select max(id) as last from product_accesses').first<{ last: number }>()
  const last = row?.last ?? 1
  return Array.from({ length: 1000 }, () => String(1 + Math.floor(Math.random() * last)))
}
