/** What the owner of the service must recover from: an outage of the database, a rotation of TOKEN_KEY, a restore. */
import * as contract from '../contract.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { newReceiver, type Receiver } from './receivers.ts'
import type { Outcome } from '../reference/operation.ts'
import type { Random } from '../world/random.ts'
import { newPerson } from './people.ts'
import { restoreStatements } from '../../../scripts/restore-statements.ts'
import { type Row, toRows } from '../rows.ts'
import type { Database } from '../world/sqlite.ts'

const UNAVAILABLE = { status: 503, code: 'service_unavailable' }
const ENDPOINTS = 4
/** Longer than the first delays of a retry. */
const OUTAGE_MS = 8 * 60_000
/** The alarm of a store with its own database may have failed so often that the every-minute job has to wake its object. */
const MINUTES_AFTER = 15

export async function loseDatabase(exam: Examiner): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const receivers: Receiver[] = []
  while (receivers.length < ENDPOINTS) receivers.push(await newReceiver(exam))
  for (const receiver of receivers) receiver.respond(500)
  const product = (slug: string) => contract.createProduct(model.slug, slug)
  await exam.send('product before the outage', product('before-the-outage'))
  // The event has failed, and the times of its retries come during the outage.
  await exam.pass(10_000)
  const isOwn = exam.hasOwnPlace
  if (isOwn) await loseShared(exam)
  world.isExporting = !isOwn
  world.areObjectsDown = isOwn
  const known = world.logs.length
  await exam.pass(OUTAGE_MS)
  await exam.send('product in the outage', product('in-the-outage'), UNAVAILABLE)
  await exam.send('read in the outage', requestOf(ROOT, 'GET', model.slug, ''), UNAVAILABLE)
  const logged = world.logs.slice(known).filter((line) => line.includes('delivery_stopped'))
  for (const { endpoint } of receivers)
    if (!logged.some((line) => JSON.parse(line).webhook_endpoint_id === Number(endpoint.id)))
      exam.violate(`the failed work of endpoint ${endpoint.id} was not logged`)
  world.isExporting = false
  world.areObjectsDown = false
  world.count('the work of an endpoint has failed')
  await expectRetries(exam, receivers)
}

/** There is no new event, so only the every-minute job, or an alarm, can wake the endpoints. */
async function expectRetries(exam: Examiner, receivers: Receiver[]): Promise<void> {
  const waiting = receivers.map((receiver) => ({ receiver, known: receiver.attempts.length }))
  for (const receiver of receivers) receiver.respond(204)
  const left = () => waiting.filter(({ receiver, known }) => receiver.attempts.length === known)
  for (let minute = 0; minute < MINUTES_AFTER && left().length > 0; minute++) await exam.pass(60_000)
  for (const { receiver } of left()) exam.violate(`nothing was sent to ${receiver.url} after the outage`)
  for (const receiver of receivers) receiver.respondAsOthers()
}

/** A store with a database of its own serves its tokens while D1 is down, and its webhooks are sent. */
async function loseShared(exam: Examiner): Promise<void> {
  const { world, model } = exam
  await ensureTokens(exam)
  const [token = ROOT] = keepersOf(exam)
  world.isExporting = true
  await exam.pass(1)
  const path = '/users?limit=1'
  await exam.send('token while D1 is down', requestOf(token, 'GET', model.slug, path))
  await exam.send('operator while D1 is down', requestOf(exam.operators.admin, 'GET', model.slug, path), UNAVAILABLE)
  world.count('a store is served while D1 is down')
  world.isExporting = false
}

const OLD = 'token-key-of-the-simulation-0123456789'
const NEW = 'another-token-key-of-the-simulation-01'

export async function rotateTokenKey(exam: Examiner, random: Random): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const old = await newToken(exam)
  const key = exam.slug('key')
  const body = newPerson(exam, random)
  const create = { ...requestOf(ROOT, 'POST', model.slug, '/users'), body, headers: { 'X-Idempotency-Key': key } }
  await exam.send('first with a key', create)
  await exam.pass(1)
  Object.assign(world.secrets, { TOKEN_KEY: NEW, TOKEN_KEY_PREVIOUS: OLD })
  await use(exam, 'token of the previous key', old)
  await exam.send('replay under the previous key', create)
  const fresh = await newToken(exam)
  await use(exam, 'token of the new key', fresh)
  Object.assign(world.secrets, { TOKEN_KEY_PREVIOUS: undefined })
  await use(exam, 'token of a key that is no longer set', old, { status: 401, code: 'invalid_token' })
  await use(exam, 'token of the only key', fresh)
  Object.assign(world.secrets, { TOKEN_KEY: 'too short' })
  await use(exam, 'token without a key', fresh, UNAVAILABLE)
  Object.assign(world.secrets, { TOKEN_KEY: OLD, TOKEN_KEY_PREVIOUS: NEW })
  await use(exam, 'token after the keys were exchanged', fresh)
  Object.assign(world.secrets, { TOKEN_KEY_PREVIOUS: undefined })
  world.count('TOKEN_KEY was rotated')
}

function use(exam: Examiner, label: string, secret: string, expected?: Outcome) {
  return exam.send(label, contract.readToken(secret), expected)
}

async function newToken(exam: Examiner): Promise<string> {
  const request = {
    ...requestOf(ROOT, 'POST', exam.model.slug, '/tokens'),
    body: { name: 'rotated', scopes: contract.SCOPES },
  }
  const { json } = await exam.send('token', request)
  return String(json['token'])
}

export async function restore(exam: Examiner, database: Database, random: Random): Promise<void> {
  const { model } = exam
  await exam.pass(1)
  const body = newPerson(exam, random)
  const lost = await loseUsers(exam, database, [newPerson(exam, random), body], newPerson(exam, random))
  const run = `00000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`
  for (const sql of Object.values(restoreStatements({ run, now: exam.now }))) database.execute([{ sql, params: [] }])
  const read = (path: string) => requestOf(ROOT, 'GET', model.slug, path)
  await send(exam, 'lost user', read(`/users/${lost}`), 404)
  const next = await create(exam, 'user after the restore', body)
  if (Number(next) <= Number(lost)) exam.violate(`the id ${next} was used again after a restore`)
  const feed = await send(exam, 'feed after the restore', read(`/events?after=${lost}`), 200)
  const types = toRows(feed['data']).map(({ type }) => String(type))
  if (types.join() !== 'store.restored,user.created') exam.violate(`after a restore the feed shows ${types.join()}`)
  // The cursors of the endpoints were restored with the events: what has happened since is sent.
  await exam.pass(5000)
  if (sentTimes(exam, next) === 0) exam.violate('an event after a restore was not delivered')
  // Once the events from before the gap are purged, a cursor in the gap has missed nothing that is not kept.
  const oldest = toRows(feed['data'])[0]?.['id']
  const number = database.execute([{ sql: 'select id >> 32 from stores where slug = ?1', params: [model.slug] }])[0]
    ?.rows[0]?.[0]
  const params = [Number(number), Number(oldest)]
  const sql = 'delete from events where id > ?1 << 32 and id < (?1 << 32) + ?2'
  database.execute([{ sql, params }])
  await send(exam, 'feed after the purge', read(`/events?after=${lost}`), 200)
  exam.world.count('a restore')
}

/**
 * Creates two users, restores the database to before them, and creates another user before `after-restore` can run, as
 * objects that cannot be stopped may do. That one has the id of the first, and yet its event is delivered. Returns the id of the second.
 */
async function loseUsers(exam: Examiner, database: Database, users: [Row, Row], other: Row): Promise<string> {
  const saved = database.save()
  const first = await create(exam, 'first user who is lost', users[0])
  const lost = await create(exam, 'user who is lost', users[1])
  // By then, the object of the endpoint has reported that it has sent both.
  await exam.pass(5000)
  database.load(saved)
  const before = sentTimes(exam, first)
  const again = await create(exam, 'user before after-restore', other)
  if (again !== first) exam.violate(`after a restore, the first id is ${again}, not ${first}`)
  await exam.pass(5000)
  if (sentTimes(exam, first) === before) exam.violate('an event before after-restore was not delivered')
  return lost
}

async function create(exam: Examiner, label: string, body: Row): Promise<string> {
  const request = { ...requestOf(ROOT, 'POST', exam.model.slug, '/users'), body }
  return String((await send(exam, label, request, 201))['id'])
}

/** How often the event was sent to the endpoint that asks for users. */
function sentTimes({ model, world }: Examiner, event: string): number {
  return world.sent.get(`https://hooks.example.com/${model.slug} ${event}`) ?? 0
}

/** The reference does not know what the database has lost. */
async function send(exam: Examiner, label: string, request: contract.ApiRequest, status: number): Promise<Row> {
  const exchange = await exam.history.send(exam.name(label), request)
  exam.check(exchange, { status })
  return exchange.json
}
