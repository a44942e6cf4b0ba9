/**
 * `npm run bench:deliveries` takes about two minutes: 150 endpoints in 15 stores, with 100 events each. A third of them has a
 * host that does not exist, a third refuses connections, and a third never responds. While they fail and once they are down,
 * an endpoint of another store must get each change within 2 s, and the others must cause probes and nothing else. On a
 * machine that does something else meanwhile, every request may take longer, and the result means nothing.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { pause } from '../../src/lib/pause.ts'
import { ADMIN_TOKEN, buildBundle, host, migrate } from './host.ts'
import { caller, createStore, newToken } from './operations.ts'

const LIMIT_MS = 2000
const CHANGES = 10
const MINUTE_MS = 60_000
/** Endpoints that never respond need four rounds of 10 s to fail 20 times. A busy machine needs longer for all. */
const PATIENCE_MS = 20 * MINUTE_MS
/** An endpoint is probed twice in the first minute, and one probe may have been due just before it. */
const MAX_PROBES_PER_MINUTE = 3
const STORES = 15
const ENDPOINTS_OF_STORE = 10
const ENDPOINTS = STORES * ENDPOINTS_OF_STORE
const EVENTS = 100
const HEALTHY = 'healthy'

// Only the development environment allows webhooks to this machine.
const worker = {
  name: 'service',
  module: buildBundle('service'),
  bindings: { ENVIRONMENT: 'development' },
  objects: 'service',
}
const hosted = await host([worker])
await migrate(await hosted.db())
const origin = await hosted.origin('service')
const call = caller(origin)

/** When the event of each user has arrived at the healthy endpoint. */
const arrivals = new Map<string, number>()
const healthyUrl = await listen(createHttpServer((request, response) => void receive(request, response)))
let attempts = 0
const silentUrl = await listen(
  createServer((socket) => {
    attempts++
    socket.on('error', () => {}).resume()
  }),
)
const urls = ['https://dead.example.invalid/', 'http://127.0.0.1:1/', silentUrl]
const healthyToken = await newStore(HEALTHY, [healthyUrl])
const endpoints = Array.from({ length: ENDPOINTS_OF_STORE }, (_, i) => `${urls[i % urls.length]}?${i}`)
const tokens = new Map<string, string>()
for (let i = 0; i < STORES; i++) tokens.set(`dead-${i}`, await newStore(`dead-${i}`, endpoints))

const cron = encodeURIComponent(cronsOf(readConfig()).minutely)
setInterval(() => void fetch(`${origin}/__scheduled?cron=${cron}`), MINUTE_MS).unref()
const started = Date.now()
for (const [store, token] of tokens) await createUsers(store, token, EVENTS)
let areDown = false
const measured = measureHealthy((count) => areDown && count >= CHANGES)
await waitUntilDown()
areDown = true
const early = await measured
console.log(`while ${ENDPOINTS} endpoints failed, ${describe(early)}`)
console.log(`all were down after ${Math.round((Date.now() - started) / 1000)} s`)
const times = await measureHealthy((count) => count === CHANGES)
console.log(`then ${describe(times)}`)
const before = attempts
await pause(MINUTE_MS)
const silent = STORES * endpoints.filter((url) => url === silentUrl).length
console.log(`within a minute, ${silent} endpoints that never respond got ${attempts - before} requests`)
await hosted.stop()
const isLate = [...early, ...times].some((time) => time > LIMIT_MS)
const isTooMany = attempts - before > silent * MAX_PROBES_PER_MINUTE
if (isLate) console.error(`Missed: another store gets its changes within ${LIMIT_MS} ms`)
if (isTooMany) console.error('Missed: an endpoint that is down gets probes and nothing else')
process.exit(isLate || isTooMany ? 1 : 0)

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}/`
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const event: { data: { user_id?: string } } = JSON.parse(await text(request))
  arrivals.set(event.data.user_id ?? '', Date.now())
  response.writeHead(204).end()
}

/** Returns a token of the store. */
async function newStore(store: string, hooks: readonly string[]): Promise<string> {
  await createStore(origin, store, 'shared')
  for (const url of hooks) {
    await call('POST', `/admin/stores/${store}/webhook_endpoints`, ADMIN_TOKEN, { url, types: ['user.created'] })
  }
  return newToken(origin, store)
}

/** One batch: each of its users has an event, and the endpoints are woken once. Returns the id of the last user. */
async function createUsers(store: string, token: string, count: number): Promise<string> {
  const user = () => ({ name: 'Ada', last_name: 'Lovelace', email: `dead-${crypto.randomUUID()}@example.com` })
  const items = Array.from({ length: count }, user)
  const { results } = await call('POST', `/v1/stores/${store}/users/batch`, token, { items })
  if (!Array.isArray(results)) throw new Error('The batch returned no results')
  return String(results.at(-1).id)
}

async function waitUntilDown(): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const { webhooks } = await call('GET', '/admin/status', ADMIN_TOKEN)
    if (Number(Object(webhooks).down_endpoints) === ENDPOINTS) return
    await pause(1000)
  }
  throw new Error(`${ENDPOINTS} endpoints were not down in time`)
}

/** After how many milliseconds each change has arrived, one after the other, until there are enough. */
async function measureHealthy(isEnough: (count: number) => boolean): Promise<number[]> {
  const found: number[] = []
  while (!isEnough(found.length)) {
    const sent = Date.now()
    const id = await createUsers(HEALTHY, healthyToken, 1)
    while (!arrivals.has(id) && Date.now() - sent < MINUTE_MS) await pause(10)
    found.push((arrivals.get(id) ?? Infinity) - sent)
    await pause(500)
  }
  return found
}

function describe(found: number[]): string {
  const sorted = found.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]
  return `${sorted.length} changes of another store arrived after ${sorted[0]} to ${sorted.at(-1)} ms (median: ${median})`
}
