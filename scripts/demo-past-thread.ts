/**
 * The demo academy's month as it is lived: the service's own code on a database in memory, with a clock that is set from
 * one moment to the next, so that every row is one that the service has written. A thread of its own, because
 * its clock, its chance and its `fetch` are nobody else's, and nobody reads its log.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { DAY_MS } from '../src/limits.ts'
import { immediateD1 } from '../simulation/d1.ts'
import '../simulation/json-modules.ts'
import { ENTRY, readMigrations } from '../simulation/source.ts'
import { Database } from '../simulation/sqlite.ts'
import { type Act, openAcademy } from './demo-month.ts'
import type { Past, ThreadData } from './demo-past.ts'
import { seedDemo, type Send } from './demo.ts'

interface Message {
  body: object
}

interface Worker {
  fetch: (request: Request, env: object, ctx: object) => Promise<Response>
  queue: (batch: { queue: string; messages: Message[] }, env: object, ctx: object) => Promise<void>
  scheduled: (controller: { cron: string; scheduledTime: number }, env: object, ctx: object) => Promise<void>
}

const DAYS = 30
const MINUTE_MS = 60_000
/** From one request to the next at least. */
const STEP_MS = 700
/** Since when the academy's receiver of webhooks answers 503: the service will have given it up. */
const BROKEN_AT = 0.8

const { secrets, now, vars, limiters, queue, cron }: ThreadData = workerData
const { ADMIN_TOKEN: adminToken = '' } = secrets
const month = { begin: now - DAYS * DAY_MS, now }
let clock = month.begin
Date.now = () => clock
Math.random = () => 0.5
globalThis.fetch = async () =>
  new Response(null, { status: clock < month.begin + BROKEN_AT * (now - month.begin) ? 204 : 503 })

const database = new Database()
database.exec(readMigrations())
const agenda: Act[] = []
const { default: worker }: { default: Worker } = await import(ENTRY)
const env = {
  ...vars,
  ...secrets,
  ENVIRONMENT: 'development',
  DB: immediateD1(database),
  REPLAYS: {
    get: async () => null,
    getWithMetadata: async () => ({ value: null, metadata: null }),
    put: async () => {},
  },
  WEBHOOKS: { sendBatch },
  ...Object.fromEntries(limiters.map((name) => [name, { limit: async () => ({ success: true }) }])),
}

const { token } = await seedDemo({ send, adminToken })
agenda.push(...(await openAcademy(send, adminToken, month)))
for (let day = month.begin; day <= now; day += DAY_MS)
  agenda.push([day - (day % DAY_MS) + DAY_MS + MINUTE_MS, announce])
await live()
const past: Past = { token, tables: readTables() }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of threads has no origin
parentPort?.postMessage(past)

/** What is on the agenda, in the order of time, with what it brings along. */
async function live(): Promise<void> {
  for (;;) {
    agenda.sort(([a], [b]) => b - a)
    const [at, act] = agenda.pop() ?? [Infinity]
    if (act === undefined || at > now) break
    clock = Math.max(clock, at)
    await act()
  }
}

function send(...[path, init]: Parameters<Send>): Promise<Response> {
  clock += STEP_MS
  // What has come due with it, the next minute sees.
  agenda.push([clock - (clock % MINUTE_MS) + MINUTE_MS, announce])
  return attend((ctx) => worker.fetch(new Request(`http://localhost${path}`, init), env, ctx))
}

function announce(): Promise<void> {
  return attend((ctx) => worker.scheduled({ cron, scheduledTime: clock }, env, ctx))
}

async function sendBatch(messages: Message[], { delaySeconds = 0 } = {}): Promise<void> {
  const deliver = () => attend((ctx) => worker.queue({ queue, messages }, env, ctx))
  agenda.push([clock + delaySeconds * 1000 + STEP_MS, deliver])
}

/** The answer, once all is done that was left for afterwards. */
async function attend<T>(handle: (ctx: object) => Promise<T>): Promise<T> {
  const tasks: Promise<unknown>[] = []
  const answer = await handle({
    waitUntil: (task: Promise<unknown>) => void tasks.push(task),
    passThroughOnException() {},
  })
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task
  return answer
}

function readTables(): Past['tables'] {
  const select = (sql: string) => database.execute([{ sql, params: [] }])[0] ?? { columns: [], rows: [] }
  const names = select("select name from sqlite_master where type = 'table' and name not glob 'sqlite_*'").rows
  return names.map(([name]) => {
    const { columns, rows } = select(`select * from "${String(name)}"`)
    return { name: String(name), columns, rows: rows.map((row) => row.map(toValue)) }
  })
}

/** No column holds anything else. */
function toValue(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new Error(`a value of the type ${typeof value}`)
}
