/**
 * Runs the demo academy's month with the code of the service, on a database in memory and with a simulated clock, so
 * that the service has written every row. This is a thread of its own, because it replaces the global clock, random
 * numbers and `fetch`, and because its log must not be printed.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { DAY_MS } from '../src/limits.ts'
import { immediateD1 } from '../simulation/world/d1.ts'
import '../simulation/world/worker-modules.ts'
import { ENTRY, readMigrations } from '../simulation/world/source.ts'
import { Database } from '../simulation/world/sqlite.ts'
import { type Action, openAcademy } from './demo-month.ts'
import type { Past, ThreadData } from './demo-past.ts'
import { seedDemo, type Send } from './demo.ts'

interface Worker {
  fetch: (request: Request, env: object, ctx: object) => Promise<Response>
  scheduled: (controller: { cron: string; scheduledTime: number }, env: object, ctx: object) => Promise<void>
}

type ObjectClass = new (
  ctx: { storage: object; waitUntil: (task: Promise<unknown>) => void },
  env: object,
) => Record<'wake' | 'alarm', (...values: number[]) => unknown>

interface Entry {
  default: Worker
  WebhookEndpoint: ObjectClass
  BulkChanges: ObjectClass
}

const DAYS = 30
const MINUTE_MS = 60_000
/** Requests are at least this far apart. */
const STEP_MS = 700
/** From this position of the month on, the webhook receiver returns 503, so that the service disables the endpoint. */
const BROKEN_AT = 0.8

const { secrets, now, vars, limiters, cron }: ThreadData = workerData
const { ADMIN_TOKEN: adminToken = '' } = secrets
const month = { begin: now - DAYS * DAY_MS, now }
let clock = month.begin
Date.now = () => clock
Math.random = () => 0.5
globalThis.fetch = async () =>
  new Response(null, { status: clock < month.begin + BROKEN_AT * (now - month.begin) ? 204 : 503 })

const database = new Database()
database.exec(readMigrations())
const agenda: Action[] = []
const { default: worker, ...classes }: Entry = await import(ENTRY)
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
  WEBHOOK_ENDPOINTS: objectsOf('WebhookEndpoint'),
  BULK_CHANGES: objectsOf('BulkChanges'),
  ...Object.fromEntries(limiters.map((name) => [name, { limit: async () => ({ success: true }) }])),
}

const { token } = await seedDemo({ send, adminToken })
agenda.push(...(await openAcademy(send, adminToken, month)))
for (let day = month.begin; day <= now; day += DAY_MS)
  agenda.push([day - (day % DAY_MS) + DAY_MS + MINUTE_MS, runMinutely])
await runAgenda()
const past: Past = { token, tables: readTables() }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of threads has no origin
parentPort?.postMessage(past)

/** Runs the agenda in the order of time, including the actions that it adds. */
async function runAgenda(): Promise<void> {
  for (;;) {
    agenda.sort(([a], [b]) => b - a)
    const [time, run] = agenda.pop() ?? [Infinity]
    if (run === undefined || time > now) break
    clock = Math.max(clock, time)
    await run()
  }
}

function send(...[path, init]: Parameters<Send>): Promise<Response> {
  clock += STEP_MS
  // The minutely job after this request announces expiries that the request made due.
  agenda.push([clock - (clock % MINUTE_MS) + MINUTE_MS, runMinutely])
  return invoke((ctx) => worker.fetch(new Request(`http://localhost${path}`, init), env, ctx))
}

function runMinutely(): Promise<void> {
  return invoke((ctx) => worker.scheduled({ cron, scheduledTime: clock }, env, ctx))
}

/** The objects of a class, with databases in memory, which the demo does not keep: it has no deliveries of the past. */
function objectsOf(className: 'WebhookEndpoint' | 'BulkChanges') {
  const objects = new Map<string, WorkerObject>()
  const open = (name: string): WorkerObject => {
    const found = objects.get(name) ?? newObject(classes[className])
    objects.set(name, found)
    return found
  }
  return { getByName: (name: string) => ({ wake: (id: number) => open(name).call('wake', id) }) }
}

interface WorkerObject {
  call: (method: 'wake' | 'alarm', ...values: number[]) => Promise<void>
}

function newObject(Class: ObjectClass): WorkerObject {
  const own = new Database()
  let alarm: number | null = null
  const exec = (sql: string, ...params: (string | number | null)[]) => {
    if (params.length === 0 && /;\s*\S/.test(sql)) own.exec(sql)
    const { rows, toNamed } = /;\s*\S/.test(sql) ? { rows: [], toNamed: Object } : own.run({ sql, params })
    const found = rows.map(toNamed)
    return { toArray: () => found, one: () => found[0] }
  }
  const storage = {
    sql: { exec },
    transactionSync: <T>(run: () => T) => own.transaction(run),
    getAlarm: async () => alarm,
    setAlarm: async (time: number) => {
      alarm = time
      agenda.push([time, () => ring(time)])
    },
    deleteAlarm: async () => void (alarm = null),
    deleteAll: async () => own.drop(),
  }
  const tasks: Promise<unknown>[] = []
  const object = new Class({ storage, waitUntil: (task) => void tasks.push(task) }, env)
  // As with the Worker, the clock must not move before the work has ended.
  const call: WorkerObject['call'] = async (method, ...values) => {
    await object[method](...values)
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task
  }
  const ring = async (time: number) => {
    if (alarm !== time) return
    alarm = null
    await call('alarm')
  }
  return { call }
}

/** Calls the Worker and waits for its background tasks, because the clock must not move before they end. */
async function invoke<T>(handle: (ctx: object) => Promise<T>): Promise<T> {
  const tasks: Promise<unknown>[] = []
  const result = await handle({
    waitUntil: (task: Promise<unknown>) => void tasks.push(task),
    passThroughOnException() {},
  })
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task
  return result
}

function readTables(): Past['tables'] {
  const select = (sql: string) => database.execute([{ sql, params: [] }])[0] ?? { columns: [], rows: [] }
  const names = select("select name from sqlite_master where type = 'table' and name not glob 'sqlite_*'").rows
  return names.map(([name]) => {
    const { columns, rows } = select(`select * from "${String(name)}"`)
    return { name: String(name), columns, rows: rows.map((row) => row.map(toValue)) }
  })
}

/** Columns contain only these types; any other one could not be inserted into the local database. */
function toValue(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new Error(`A column has a value of the type ${typeof value}`)
}
