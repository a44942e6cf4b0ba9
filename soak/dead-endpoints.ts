/**
 * `npm run soak -- --dead-endpoints` takes about ten minutes: 150 endpoints in 15 stores, with 100 events each. A third of them
 * has a host that does not exist, a third refuses connections, and a third never responds. While they fail and once they are
 * down, an endpoint of another store must get each change within 2 s, and the others must cause probes and nothing else. It
 * also reports the trips, statements and attempts of each minute. With `--busy`, two loops keep the processor busy meanwhile.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { ADMIN_TOKEN, buildBundle, freePort, host, migrate } from '../bench/host.ts'
import { caller } from '../bench/operations.ts'
import { Worker } from 'node:worker_threads'
import type { Counts } from './counting-worker.ts'
import { pause } from './persist.ts'
import { CRONS, triggerCron } from './store.ts'

const LIMIT_MS = 2000
const CHANGES = 10
const MINUTE_MS = 60_000
/** Endpoints that never respond need four rounds of 10 s to fail 20 times. A busy machine needs longer for all. */
const PATIENCE_MS = 20 * MINUTE_MS
/** An endpoint is probed twice in the first minute, and one probe may have been due just before it. */
const MAX_PROBES_PER_MINUTE = 3

const STORES = 15
const ENDPOINTS_OF_STORE = 10
const EVENTS = 100
const MINUTES = 2

/** Returns what went wrong. */
export async function soakDeadEndpoints({ isBusy }: { isBusy: boolean }): Promise<string[]> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const module = buildBundle('dead-endpoints', 'soak/counting-worker.ts', { hasObjects: true })
  // Only the development environment allows webhooks to this machine.
  const bindings = { ENVIRONMENT: 'development' }
  const hosted = await host([{ name: 'soak', module, bindings, socket: port, objects: 'soak' }])
  await migrate(await hosted.db())
  const urls = await startDeadHosts()
  const healthy = await createHealthy(origin)
  const stores = await Promise.all(
    Array.from({ length: STORES }, async (_, i) => ({
      store: `dead-${i}`,
      token: await createStore(origin, `dead-${i}`),
    })),
  )
  for (const { store } of stores) await createEndpoints(origin, store, urls)
  const loops = isBusy ? [0, 1].map(() => new Worker('for (;;);', { eval: true })) : []
  const cron = setInterval(() => void triggerCron(origin, CRONS.minutely), MINUTE_MS)
  const started = Date.now()
  for (const { store, token } of stores) await createUsers(origin, { store, token, count: EVENTS })
  let areDown = false
  const measured = measureHealthy(origin, healthy, (count) => areDown && count >= CHANGES)
  await waitUntilDown(origin, STORES * ENDPOINTS_OF_STORE)
  areDown = true
  const early = await measured
  console.log(
    `while ${STORES * ENDPOINTS_OF_STORE} endpoints failed, ${describe(early)}; the first after ${early[0]} ms`,
  )
  console.log(`all were down after ${Math.round((Date.now() - started) / 1000)} s`)
  const times = await measureHealthy(origin, healthy, (count) => count === CHANGES)
  console.log(`then ${describe(times)}`)
  const late = isBusy ? [] : [...early, ...times].filter((time) => time > LIMIT_MS)
  const problems = late.map((time) => `a change of another store arrived after ${time} ms`)
  problems.push(...(await countMinutes(origin, MINUTES, STORES * ENDPOINTS_OF_STORE)))
  clearInterval(cron)
  await Promise.all(loops.map((loop) => loop.terminate()))
  await hosted.stop()
  return problems
}

async function createEndpoints(origin: string, store: string, urls: string[]): Promise<void> {
  for (let i = 0; i < ENDPOINTS_OF_STORE; i++) {
    const body = { url: urls[i % urls.length], types: ['user.created'] }
    await caller(origin)('POST', `/admin/stores/${store}/webhook_endpoints`, ADMIN_TOKEN, body)
  }
}

/** The URLs of a host that does not exist, a port that refuses connections, and a server that never responds. */
async function startDeadHosts(): Promise<string[]> {
  const silent = createServer((socket) => socket.on('error', () => {}).resume())
  return ['https://dead.example.invalid/', 'http://127.0.0.1:1/', `http://127.0.0.1:${await listen(silent)}/`]
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

interface Healthy {
  token: string
  /** When the event of each user has arrived. */
  arrivals: Map<string, number>
}

const HEALTHY = 'healthy'

async function createHealthy(origin: string): Promise<Healthy> {
  const arrivals = new Map<string, number>()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const event: { data: { user_id?: string } } = JSON.parse(await text(request))
    arrivals.set(event.data.user_id ?? '', Date.now())
    response.writeHead(204).end()
  }
  const server = createHttpServer((request, response) => void receive(request, response))
  const token = await createStore(origin, HEALTHY)
  const url = `http://127.0.0.1:${await listen(server)}/`
  await caller(origin)('POST', `/admin/stores/${HEALTHY}/webhook_endpoints`, ADMIN_TOKEN, { url })
  return { token, arrivals }
}

/** Returns a token of the store. */
async function createStore(origin: string, id: string): Promise<string> {
  const call = caller(origin)
  await call('POST', '/admin/stores', ADMIN_TOKEN, { id, name: 'Soak', language: 'EN' })
  return String((await call('POST', `/admin/stores/${id}/tokens`, ADMIN_TOKEN, { name: 'Soak' }))['token'])
}

let users = 0

/** One batch: each of its users has an event, and the endpoints are woken once. */
async function createUsers(
  origin: string,
  { store, token, count }: { store: string; token: string; count: number },
): Promise<string[]> {
  const user = () => ({ name: 'Ada', last_name: 'Lovelace', email: `dead-${users++}@example.com` })
  const items = Array.from({ length: count }, user)
  const { results } = await caller(origin)('POST', `/v1/stores/${store}/users/batch`, token, { items })
  if (!Array.isArray(results)) throw new Error('The batch returned no results')
  return results.map(({ id }) => String(id))
}

async function waitUntilDown(origin: string, expected: number): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const { webhooks } = await caller(origin)('GET', '/admin/status', ADMIN_TOKEN)
    if (Number(Object(webhooks).down_endpoints) === expected) return
    await pause(1000)
  }
  throw new Error(`${expected} endpoints were not down in time`)
}

function describe(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]
  return `${times.length} changes of another store arrived after ${sorted[0]} to ${sorted.at(-1)} ms (median: ${median})`
}

/** After how many milliseconds each change has arrived, one after the other, until there are enough. */
async function measureHealthy(
  origin: string,
  { token, arrivals }: Healthy,
  isEnough: (count: number) => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (!isEnough(times.length)) {
    const started = Date.now()
    const [id = ''] = await createUsers(origin, { store: HEALTHY, token, count: 1 })
    while (!arrivals.has(id) && Date.now() - started < MINUTE_MS) await pause(10)
    times.push((arrivals.get(id) ?? Infinity) - started)
    await pause(500)
  }
  return times
}

async function countMinutes(origin: string, minutes: number, endpoints: number): Promise<string[]> {
  const problems: string[] = []
  let before = await readCounts(origin)
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(MINUTE_MS)
    const now = await readCounts(origin)
    const attempts = now.attempts - before.attempts
    console.log(
      `  minute ${minute}: ${now.trips - before.trips} trips, ${now.statements - before.statements} statements, ${attempts} attempts`,
    )
    if (attempts > endpoints * MAX_PROBES_PER_MINUTE) problems.push(`${attempts} attempts in minute ${minute}`)
    before = now
  }
  return problems
}

async function readCounts(origin: string): Promise<Counts> {
  return JSON.parse(await (await fetch(`${origin}/__counts`)).text())
}
