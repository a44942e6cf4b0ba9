/**
 * `npm run test:webhooks`: starts the service in a copy of the project and kills it while six requests are in flight to a
 * receiver that does not respond, and other events wait. After a restart on the same data, it must deliver every event by
 * itself, signed: nobody makes a change, and no cron runs.
 */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../test/support/receiver.ts'
import { freePort } from './free-port.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const DEADLINE_MS = 120_000
const EVENTS = 15
const IN_FLIGHT = 6

const project = copyProject({ withConsole: true })
const receiver = await startReceiver()
let service = await startService(await freePort(), project)
try {
  const hook = await register()
  receiver.answer('/hook', ['hang'])
  const created: string[] = []
  for (let i = 0; i < EVENTS; i++) created.push(await createUser(hook))
  await poll('six requests in flight', () => receiver.requests('/hook').length === IN_FLIGHT)
  await service.kill()
  await assert.rejects(fetch(`${service.origin}/health`), TypeError, 'the port is closed')

  const before = receiver.requests('/hook').length
  receiver.answer('/hook', [204])
  service = await startService(await freePort(), project)
  const events = listOf(await admin('GET', `${hook.path}/events?type=user.created`))
  assert.deepEqual(
    events.map(({ data }) => data.user_id),
    created,
    'an event for each user whose creation was confirmed',
  )

  const verified = new Map<string, unknown>()
  const restarted = Date.now()
  await poll('every event to arrive', () => {
    for (const { body, headers } of receiver.requests('/hook').slice(before))
      verified.set(headers['webhook-id'] ?? '', new Webhook(hook.secret).verify(body, headers))
    return verified.size >= events.length
  })
  const ms = Date.now() - restarted
  assert.deepEqual([...verified.values()].toSorted(byId), events.toSorted(byId))
  console.log(
    `test:webhooks passed: ${events.length} events survived a kill, and arrived within ${ms} ms of the restart; ${before} attempts before it, ${receiver.requests('/hook').length - before} after it.`,
  )
} finally {
  await service.stop()
  receiver.stop()
  rmSync(project, { recursive: true, force: true })
}

interface Registered {
  path: string
  token: string
  storeId: string
  secret: string
}

/** Creates a store with a token and an endpoint at the receiver. */
async function register(): Promise<Registered> {
  const store = await admin('POST', '/admin/stores', { name: 'Webhooks', language: 'EN' })
  const storeId = textOf(store, 'id')
  const path = `/admin/stores/${storeId}`
  const token = textOf(await admin('POST', `${path}/tokens`, { name: 'Webhooks' }), 'token')
  const body = { url: `${receiver.origin}/hook`, types: ['user.created'] }
  const endpoint = await admin('POST', `${path}/webhook_endpoints`, body)
  return { path, token, storeId, secret: textOf(endpoint, 'secret') }
}

/** Returns the id of the new user. */
async function createUser({ storeId, token }: Registered): Promise<string> {
  const user = { name: 'Ada', last_name: 'Lovelace', email: `${crypto.randomUUID()}@example.com` }
  return textOf(await request(token, 'POST', `/v1/stores/${storeId}/users`, user), 'id')
}

function admin(method: string, path: string, body?: object): Promise<unknown> {
  const { ADMIN_TOKEN = '' } = parseEnv(readFileSync(join(project, '.dev.vars'), 'utf8'))
  return request(ADMIN_TOKEN, method, path, body)
}

async function request(token: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

interface Event {
  id: string
  data: { user_id: string }
}

function byId(a: unknown, b: unknown): number {
  return Number(textOf(a, 'id')) - Number(textOf(b, 'id'))
}

function listOf(page: unknown): Event[] {
  assert.ok(typeof page === 'object' && page !== null && 'data' in page && Array.isArray(page.data))
  return page.data
}

function textOf(answer: unknown, field: string): string {
  const value: unknown = Object.getOwnPropertyDescriptor(Object(answer), field)?.value
  assert.ok(typeof value === 'string', `${field} is missing in ${JSON.stringify(answer)}`)
  return value
}

async function poll(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end;) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`timed out waiting for ${what}:\n${service.output()}`)
}
