/**
 * `npm run test:warm`: warms an instance of the running service with thousands of requests, and then sends at once what
 * requests could wait for together: health checks, searches of one token, and operators whose keys have to be fetched. A
 * promise that outlives its request does harm only in an instance that has been busy for a while: workerd cancels whoever
 * waits for it, with a 500 in plain text and no line in the log. In the tests, all requests share one context.
 */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { pause } from '../src/lib/pause.ts'
import { caller } from './demo.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'
import { AUDIENCE, startAccessKeys } from './warm/access-keys.ts'
import { createStore, mixedRequest, search, type Sent, type Store } from './warm/requests.ts'
import { HEALTH } from '../src/modules/status/health.ts'

const REQUESTS = 5000
const AT_ONCE = 24
const STORES = 4
/** With so many, no request of the mixture is over a rate limit. */
const TOKENS = 4
/** Of the first store, whose searches keep the database busy while others wait, and of each other one. */
const USERS = { first: 5000, other: 100 }
const ROUNDS = 10
const HEALTH_CHECKS = 30
const SEARCHES = 12
const SIGN_ONS = 12
/** Before the last rounds, every fetch of the keys fails, and they are fetched again five seconds later. */
const ROUNDS_WITH_KEYS = 3
const GIVEN_UP_AFTER_MS = 5
/** How long the searches have been under way when the health checks arrive. */
const LEAD_MS = 30
const LOG_PATIENCE_MS = 30_000

const { values } = parseArgs({ options: { port: { type: 'string', default: '8796' } } })
const project = copyProject()
const keys = await startAccessKeys()
const service = await startService(Number(values.port), project, [
  '--log-level=log',
  `--var=ACCESS_TEAM_DOMAIN:${keys.issuer}`,
  `--var=ACCESS_AUD:${AUDIENCE}`,
])
/** The status of each response, by the id of its request. */
const statuses = new Map<string, number>()
const faults: string[] = []
try {
  const { ADMIN_TOKEN = '' } = parseEnv(readFileSync(join(project, '.dev.vars'), 'utf8'))
  const root = caller((path, init) => fetch(service.origin + path, init), ADMIN_TOKEN)
  const stores: Store[] = []
  for (let i = 0; i < STORES; i++) {
    const users = i === 0 ? USERS.first : USERS.other
    stores.push(await createStore(root, { id: `warm-${i}`, tokens: TOKENS, users }))
  }
  const operator = { name: 'Ada', role: 'admin', email: 'ada@example.com' }
  await root('POST', '/admin/operators', operator)

  const start = performance.now()
  let next = 0
  const sendNext = async () => {
    while (next < REQUESTS) await check(mixedRequest(stores, next++, ADMIN_TOKEN))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  console.log(`${REQUESTS} mixed requests, ${AT_ONCE} at once, in ${Math.round((performance.now() - start) / 1000)} s`)

  const [store] = stores
  assert.ok(store)
  const headers = { 'cf-access-jwt-assertion': keys.assertionFor(operator.email) }
  for (let round = 1; round <= ROUNDS; round++) {
    if (round > ROUNDS - ROUNDS_WITH_KEYS) keys.publish()
    const sent = [
      ...times(SEARCHES, (i) => check(search(store, i))),
      ...times(SIGN_ONS, () => check({ method: 'GET', path: '/admin/operator', headers })),
    ]
    // The database is busy by now, so that all health checks wait for the first one, whose result is kept for a second.
    await pause(LEAD_MS)
    sent.push(...times(HEALTH_CHECKS, () => check({ method: 'GET', path: '/health' })))
    await Promise.all([...sent, pause(HEALTH.keptMs)])
  }
  console.log(`${ROUNDS} rounds in ${Math.round((performance.now() - start) / 1000)} s`)
  await compareWithLog()
  for (const [fault, count] of countOf(faults)) console.error(`${count} × ${fault}`)
  assert.equal(faults.length, 0, `${faults.length} faults in ${statuses.size} responses`)
  console.log(`test:warm passed: ${statuses.size} responses, each with its envelope and its line in the log.`)
} finally {
  await service.stop()
  keys.stop()
  rmSync(project, { recursive: true, force: true })
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** Sends the request, and notes what is wrong with its response. */
async function check({ method, path, headers = {}, body, isGivenUp = false }: Sent): Promise<void> {
  const route = `${method} ${path.replaceAll(/[?].*|\d+/g, '')}`
  try {
    const response = await fetch(service.origin + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(isGivenUp && { signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS) }),
    })
    const text = await response.text()
    const fault = faultOf(response, method === 'HEAD' ? undefined : text)
    if (fault !== undefined) faults.push(`${route}: ${fault}`)
    statuses.set(response.headers.get('x-request-id') ?? crypto.randomUUID(), response.status)
  } catch (error) {
    if (!isGivenUp) faults.push(`${route}: ${String(error)}`)
  }
}

function faultOf({ status, headers }: Response, text?: string): string | undefined {
  const id = headers.get('x-request-id')
  if (status === 500 || id === null) return `${status} ${text?.slice(0, 100)}`
  if (headers.get('x-content-type-options') !== 'nosniff') return `${status} without nosniff`
  if (status < 400 || text === undefined) return undefined
  return text.startsWith('{') && text.includes(`"request_id":"${id}"`) ? undefined : `${status} without its envelope`
}

/** The log is written after the response, so it may take a moment until the last line is there. */
async function compareWithLog(): Promise<void> {
  const isLogged = (lines: ReadonlyMap<string, number>) =>
    [...statuses].every(([id, status]) => lines.get(id) === status)
  let lines = readLog()
  for (const end = Date.now() + LOG_PATIENCE_MS; !isLogged(lines) && Date.now() < end; lines = readLog())
    await pause(500)
  for (const [id, status] of statuses) {
    const logged = lines.get(id)
    if (logged !== status) faults.push(`a response with ${status}, and ${logged ?? 'no line'} in the log`)
  }
}

/** The status of each request in the log, by its id. */
function readLog(): Map<string, number> {
  const lines = service.output().matchAll(/^\{"kind":"request","request_id":"([^"]+)".*"status":(\d+)/gm)
  return new Map([...lines].map(([, id = '', status]) => [id, Number(status)]))
}

function countOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}
