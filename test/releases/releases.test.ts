/** The databases of the releases (`npm run keep-release`), migrated and served by the newest code. */
import { applyD1Migrations, createScheduledController, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { HOUR_MS } from '../../src/limits.ts'
import type { Answer } from '../support/openapi.ts'
import { call, WITHOUT_QUOTA } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { HOURLY, MINUTELY } from '../support/cron.ts'
import { faultyObjects } from '../support/faults.ts'
import { isAdmin, routesWhere } from '../support/routes.ts'
/** By file name. 2.0 was never deployed, so 3.0.0 is the first release of which a database can be kept. */
const RELEASES = Object.entries(import.meta.glob<string>('./*.sql', { query: '?raw', import: 'default', eager: true }))
const STORE = '/admin/stores/demo'

interface Header {
  ADMIN_TOKEN: string
  TOKEN_KEY: string
  /** The token of the demo store. */
  token: string
  /** When the database was kept, in milliseconds since the epoch. */
  now: number
  /** A create with an idempotency key, and the token that sent it. */
  create: { key: string; body: { email: string }; token_id: string; created_at: number }
}

describe('An empty database', () => {
  it('gets the tables and indexes that the tests have, whatever its name', async () => {
    await applyD1Migrations(env.RELEASED, env.TEST_MIGRATIONS)
    expect(await schemaOf(env.RELEASED)).toEqual(await schemaOf(env.DB))
  })
})

describe.each(RELEASES)('A database of %s', (_, sql) => {
  const header: Header = JSON.parse(sql.slice(3, sql.indexOf('\n')))
  const { ADMIN_TOKEN, TOKEN_KEY, token, now } = header
  const bindings = {
    DB: env.RELEASED,
    ADMIN_TOKEN,
    TOKEN_KEY,
    ...faultyObjects(env, () => 'lost').bindings,
    ...WITHOUT_QUOTA,
  }
  const operate = (method: string, path: string, body?: unknown) =>
    call(method, path, { token: ADMIN_TOKEN, bindings, ...(body !== undefined && { body }) })

  beforeEach(async () => {
    vi.useFakeTimers({ now, toFake: ['Date'] })
    await restore(sql)
    await applyD1Migrations(env.RELEASED, env.TEST_MIGRATIONS)
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('has the tables and indexes of a new one', async () => {
    expect(await schemaOf(env.RELEASED)).toEqual(await schemaOf(env.DB))
  })

  it.each(routesWhere((route) => route.method === 'GET' && isAdmin(route)))('is read by %s', async (_, { path }) => {
    const list = path.replace(':store_id', 'demo').replace(/\/:(id|key).*$/, '')
    const answer = await operate('GET', list)
    expect(answer.status).toBe(200)
    if (!/:(id|key)/.test(path)) return
    const { id } = answer.json.data[0]
    expect((await operate('GET', path.replace(':store_id', 'demo').replace(':id', id))).status).toBe(200)
  })

  it.each([
    ['users', 'users'],
    ['product_accesses', 'product_accesses'],
    ['products', 'products'],
    ['tokens', 'access_tokens'],
    ['bulk_changes', 'bulk_changes'],
    ['webhook_endpoints', 'webhook_endpoints'],
  ])('lists all %s that it has', async (list, table) => {
    const { results } = await env.RELEASED.prepare(`select id from ${table} where id > 4294967296`).all()
    expect((await listAll(`${STORE}/${list}`, operate)).length).toBe(results.length)
    expect(results.length).toBeGreaterThan(0)
  })

  it('replays what a key has created', async () => {
    const { key, body, token_id, created_at } = header.create
    const { json: rotated } = await operate('POST', `${STORE}/tokens/${token_id}/rotate`)
    vi.setSystemTime(created_at + HOUR_MS)
    const options = { token: rotated.token, body, headers: { 'X-Idempotency-Key': key }, bindings }
    const { status, headers, json } = await call('POST', '/v1/stores/demo/users', options)
    expect([status, headers.get('Idempotent-Replayed'), json.email]).toEqual([201, 'true', body.email])
  })

  it('is changed by its tokens', async () => {
    const { json: page } = await call('GET', '/v1/stores/demo/product_accesses', { token, bindings })
    const [{ id, status }] = page.data
    const body = { status: status === 'with_access' ? 'without_access' : 'with_access' }
    const changed = await call('PUT', `/v1/stores/demo/product_accesses/${id}`, { token, bindings, body })
    expect([changed.status, changed.json.status]).toEqual([201, body.status])
    const person = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
    expect((await call('POST', '/v1/stores/demo/users', { token, bindings, body: person })).status).toBe(201)
    const { json: found } = await operate('GET', `${STORE}/users?q=love%20ada`)
    expect(found.data.length).toBe(1)
  })

  it('is worked on by both crons', async () => {
    const events = async () => (await listAll(`${STORE}/events`, operate)).length
    const before = await events()
    const later = now + 10 * 24 * HOUR_MS
    vi.setSystemTime(later)
    for (const cron of [MINUTELY, HOURLY]) {
      const controller = createScheduledController({ scheduledTime: later, cron })
      await recordConsole(() => worker.scheduled(controller, { ...env, ...bindings }))
    }
    expect(await events()).toBeGreaterThan(before)
  })
})

describe('A migration after the first one', () => {
  it('only adds, because the release before it still serves requests', () => {
    const later = env.TEST_MIGRATIONS.filter(({ name }) => !name.startsWith('0000_'))
    expect(later.flatMap(findChanges)).toEqual([])
  })

  it.each([
    'DROP TABLE users',
    'ALTER TABLE users RENAME TO people',
    'ALTER TABLE users DROP COLUMN phone',
    'ALTER TABLE users ADD label text NOT NULL',
    'CREATE UNIQUE INDEX users_phone ON users (phone)',
    'CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END',
  ])('would not only add with: %s', (statement) => {
    expect(findChanges({ name: '0001', queries: [statement] })).toEqual([`0001: ${statement}`])
  })

  it.each([
    'CREATE TABLE labels (id integer)',
    '--> statement-breakpoint\nALTER TABLE users ADD label text',
    "ALTER TABLE users ADD label text DEFAULT '' NOT NULL",
    'CREATE INDEX a ON users (phone)',
  ])('may have: %s', (statement) => {
    expect(findChanges({ name: '0001', queries: [statement] })).toEqual([])
  })
})

/** The statements that are anything else than a new table, a new column that may be empty, or a new index. */
function findChanges({ name, queries }: D1Migration): string[] {
  const adds = /^\s*(?:create table|create index|alter table \S+ add)\b/i
  const mustHaveValue = /^\s*alter (?!.*\bdefault\b).*\bnot null\b/i
  return queries
    .map((query) => query.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter((query) => !adds.test(query) || mustHaveValue.test(query))
    .map((query) => `${name}: ${query}`)
}

/** Replaces everything in the database. */
async function restore(sql: string): Promise<void> {
  const { RELEASED } = env
  const { results } = await RELEASED.prepare(
    "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*'",
  ).all()
  const statements = [
    'pragma defer_foreign_keys = on',
    ...results.map(({ name }) => `drop table "${String(name)}"`),
    ...sql.split(/;\n/).filter((statement) => statement.trim() !== ''),
  ]
  await RELEASED.batch(statements.map((statement) => RELEASED.prepare(statement)))
}

/** The columns of each table, whatever their order, and the indexes. */
async function schemaOf(d1: D1Database): Promise<unknown[]> {
  const { results } = await d1
    .prepare(
      `select m.name as of, c.name, c.type, c."notnull", c.dflt_value, c.pk
      from sqlite_master m, pragma_table_info(m.name) c
      where m.type = 'table' and m.name not glob '_cf_*' and m.name not glob 'sqlite_*' and m.name <> 'd1_migrations'
      union all
      select tbl_name, name, sql, 0, null, 0 from sqlite_master where type = 'index' and sql is not null
      order by 1, 2`,
    )
    .all()
  return results
}

async function listAll(path: string, read: (method: string, path: string) => Promise<Answer>): Promise<unknown[]> {
  const records: unknown[] = []
  for (let after: string | null = ''; after !== null;) {
    const { json }: Answer = await read('GET', `${path}?limit=100${after && `&after=${after}`}`)
    records.push(...json.data)
    after = json.next
  }
  return records
}
