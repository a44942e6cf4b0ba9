/** Requests of callers who may not make them, and what these requests write. */
import { env } from 'cloudflare:workers'
import type { Answer } from './openapi.ts'
import { ALL_SCOPES, call, newStore, newToken, v1User, v3User, WITHOUT_QUOTA } from './api.ts'
import { type Change, CHANGES, newUserAndProduct, pathOf } from './changes.ts'
import type { BoundStatement } from '../../src/db/database.ts'
import { faultyKv, faultyObjects } from './faults.ts'
import { newOperator } from './operators.ts'
import { isAdmin, type Route } from './routes.ts'
import { rowsOf, type TestStore } from './rows.ts'
import { newHook } from './webhooks.ts'

type Request = Pick<Change, 'prepare' | 'body'>

const newEndpoint = async (store: TestStore) => String((await newHook({ store, types: ['store.restored'] })).id)

/** These requests are not in `CHANGES`. An endpoint and the event of its creation have the same id. */
const OTHERS: Record<string, Request> = {
  'POST /v3/public/users': { body: v3User() },
  'POST /admin/token/rotate': {},
  'POST /admin/stores': { body: { name: 'New', language: 'EN' } },
  'POST /admin/operators': { body: { name: 'Ada', role: 'viewer' } },
  'PATCH /admin/operators/:id': { prepare: async () => (await newOperator('viewer')).id, body: { role: 'admin' } },
  'DELETE /admin/operators/:id': { prepare: async () => (await newOperator('viewer')).id },
  'POST /admin/stores/:store_id/users/batch': { body: { items: [v1User({ password: 'correct horse' })] } },
  'POST /admin/stores/:store_id/product_accesses/batch': {
    prepare: newUserAndProduct,
    body: { items: [{ user_id: '3', product_id: '4' }] },
  },
  'POST /admin/stores/:store_id/users/verify_password': { body: { email: 'ada@example.com', password: 'horse' } },
  'POST /admin/stores/:store_id/webhook_endpoints/:id/test': { prepare: newEndpoint },
  'POST /admin/stores/:store_id/webhook_endpoints/:id/deliveries/:event_id/redeliver': { prepare: newEndpoint },
}

/** Returns undefined for a route that nobody has added. The operations of v1 are mounted under /admin as well. */
export function requestOf({ method, path }: Route): Request | undefined {
  const operation = `${method} ${path.replace(/^\/v1\//, '/admin/')}`
  return CHANGES[operation] ?? OTHERS[operation]
}

export async function updateToken(id: number, column: string, value: string | number): Promise<void> {
  await rowsOf(`update access_tokens set ${column} = ? where id = ?`, value, id)
}

export interface Intruder {
  store: TestStore
  /** The id in the path, as the API shows it. */
  record: string
  token: string
  /** The id of the caller's row in access_tokens. */
  caller: number
}

/** Prepares a store for the request, and a caller who may send it. It is never the root, whose secret is no row. */
export async function newIntruder(route: Route): Promise<Intruder> {
  const store = await newStore()
  const record = (await requestOf(route)?.prepare?.(store)) ?? 'rank'
  const { token } = isAdmin(route) ? await newOperator('admin') : await newToken(store, { scopes: ALL_SCOPES })
  const [, number, n] = token.split('_')
  const caller = Number(number) * 2 ** 32 + Number(n)
  if (route.middleware.includes('requireRoot')) await updateToken(caller, 'scopes', 'viewer office admin root')
  return { store, record, token, caller }
}

/** Returns the response, how many rows it has written, and how many values it has stored in KV and objects it has woken. */
export async function sendAs({ store, record, token }: Intruder, route: Route, watch: Watch = async (sent) => sent) {
  const { DB, STORES, written } = watchedDatabases(watch)
  const { bindings, endpoints, stores } = faultyObjects(env, () => 'lost')
  const { REPLAYS, writes } = faultyKv(env.REPLAYS)
  const { method, path } = route
  const answer = await call(method, pathOf(`${method} ${path}`, store.id, record), {
    token,
    body: requestOf(route)?.body ?? (['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined),
    headers: { 'X-Idempotency-Key': 'order-1' },
    bindings: { ...WITHOUT_QUOTA, DB, STORES, ...bindings, REPLAYS },
  })
  return { answer, written, elsewhere: writes() + endpoints().length + stores().length }
}

interface Intrusion {
  answer: Answer
  /** How many round trips the request has made. */
  trips: number
  /** The indexes of the statements of the watched round trip that write and know the caller's secret. */
  writes: number[]
  /** True if the watched round trip or a later one has written a row. */
  isChanged: boolean
}

/**
 * Sends the request of a caller who gets another secret right before the round trip `watched`. The statement of that
 * round trip with the index `trusting` accepts the old secret, as if it did not check the caller.
 */
export async function intrude(route: Route, watched: number, trusting?: number): Promise<Intrusion> {
  const intruder = await newIntruder(route)
  const { caller } = intruder
  const [{ hash }] = await rowsOf('select hash from access_tokens where id = ?', caller)
  const changed = 'the hash of another secret'
  // The write that records a use follows the response, and changes nothing then.
  await updateToken(caller, 'last_used_at', Date.now())
  const seen: Pick<Intrusion, 'trips' | 'writes'> = { trips: 0, writes: [] }

  const { answer, written } = await sendAs(intruder, route, async (sent) => {
    if (seen.trips++ !== watched) return sent
    await updateToken(caller, 'hash', changed)
    seen.writes = sent.flatMap(({ sql, values }, index) => (WRITING.test(sql) && values.includes(hash) ? [index] : []))
    return sent.map(({ sql, values }, index) => ({
      sql,
      values: index === trusting ? values.map((value) => (value === hash ? changed : value)) : values,
    }))
  })
  return { answer, ...seen, isChanged: written.slice(watched).some((rows) => rows > 0) }
}

const WRITING = /^(insert|update|delete) /

interface Statement {
  sql: string
  values: unknown[]
}

/** Returns what is sent instead. */
type Watch = (sent: Statement[]) => Promise<Statement[]>

/** The real databases, to which a batch is sent as `watch` returns it, and the number of rows that each batch has written. */
function watchedDatabases(watch: Watch) {
  const written: number[] = []
  const statements = new WeakMap<object, Statement>()
  const prepare = (sql: string, values: unknown[] = []) => {
    const statement = { bind: (...bound: unknown[]) => prepare(sql, bound) }
    statements.set(statement, { sql, values })
    return statement
  }
  const batch = async (sent: object[]) => {
    const known = sent.map((statement) => statements.get(statement) ?? { sql: '', values: [] })
    const watched = await watch(known)
    const results = await env.DB.batch(watched.map(({ sql, values }) => env.DB.prepare(sql).bind(...values)))
    written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0))
    return results
  }
  const getByName = (name: string) => ({
    async batch(sent: BoundStatement[]) {
      const watched: any[] = await watch(sent.map(({ text, values }) => ({ sql: text, values: [...values] })))
      const result = await env.STORES.getByName(name).batch(watched.map(({ sql, values }) => ({ text: sql, values })))
      written.push(result.rowsWritten)
      return result
    },
  })
  const DB: D1Database = Object.assign(Object.create(env.DB), { prepare, batch })
  const STORES: Env['STORES'] = Object.assign(Object.create(env.STORES), { getByName })
  return { DB, STORES, written }
}
