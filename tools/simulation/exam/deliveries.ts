/** Single deliveries: signatures, redeliveries, tests, many endpoints, and the death of an object. */
import * as contract from '../contract.ts'
import { liveCallers, ROOT } from '../reference/callers.ts'
import type { Row } from '../rows.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { jumpTo, land, perform } from './perform.ts'
import { afterMinutelyJob, checkSchedule, newProducts, newReceiver, type Receiver } from './receivers.ts'

const OVERLAP_HOURS = 1

/** A replaced secret signs until its overlap ends, and not after that. */
export async function expireSecret(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  const { secret } = await rotateSecret(receiver)
  const end = exam.now + OVERLAP_HOURS * contract.HOUR_MS
  receiver.endpoint.secrets.push({ secret: String(secret), since: exam.now, overlapHours: OVERLAP_HOURS })
  receiver.respond(204)
  await jumpTo(exam, end - 60_000)
  await expectSignatures(receiver, random, 2)
  await jumpTo(exam, end)
  await expectSignatures(receiver, random, 1)
  receiver.respondAsOthers()
  await land(exam)
}

function rotateSecret({ exam, path }: Receiver): Promise<Row> {
  const body = { overlap_hours: OVERLAP_HOURS }
  return perform(exam, 'rotation of a secret', 'POST', { path: `${path}/rotate_secret`, body })
}

async function expectSignatures(receiver: Receiver, random: Random, count: number): Promise<void> {
  const { exam, url } = receiver
  await newProducts(exam, random, 1)
  await exam.pass(10_000)
  const found = receiver.attempts.at(-1)?.signatures
  if (found !== count) exam.violate(`${found} secrets have signed a delivery to ${url}, and not ${count}`)
}

/** How many replaced secrets may be valid at once. */
const MAX_OLDER = 3

/** Rotations until four secrets are valid: all of them are, and the next rotation with an overlap is rejected. */
export async function rotateOften(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1)
  const body = { name: 'exam of rotations', scopes: contract.SCOPES }
  const { id } = await perform(exam, 'token to rotate', 'POST', { path: '/tokens', body })
  const rotation = { path: `/tokens/${String(id)}/rotate`, body: { overlap_hours: 24 } }
  for (let i = 0; i <= MAX_OLDER; i++) await perform(exam, `rotation ${i}`, 'POST', rotation)
  for (const { secret, token } of liveCallers(exam.model, exam.now))
    if (token?.id === id) await exam.send('one of four secrets', contract.readToken(secret ?? ''))
  const receiver = await newReceiver(exam)
  receiver.respond(204)
  for (let i = 0; i <= MAX_OLDER; i++) await rotateSecret(receiver)
  await expectSignatures(receiver, random, MAX_OLDER + 1)
  receiver.respondAsOthers()
}

/** The object has an alarm while it works. */
const ABANDONED_MS = 40_000

/** The object dies during an attempt. Nobody wakes it, and yet the delivery is sent again. */
export async function loseObject(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  receiver.respond(204, { killsSender: true })
  await newProducts(exam, random, 1)
  await exam.pass(5000)
  receiver.respond(204)
  await exam.pass(ABANDONED_MS)
  await receiver.expectNone('pending')
  receiver.respondAsOthers()
}

/** Below the deadline of a receiver. */
const SLOW_MS = 8000

/** An operator sends again what is in flight, with success. That the attempt in flight fails afterwards changes nothing. */
export async function redeliverInFlight(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  receiver.respond(500, { afterMs: SLOW_MS })
  await newProducts(exam, random, 1)
  for (let i = 0; i < 60 && receiver.attempts.length === 0; i++) await exam.pass(200)
  const event_id = await receiver.newestDelivery()
  receiver.respond(204)
  await receiver.redeliver(event_id, { state: 'delivered' })
  // Before a retry would come.
  await exam.pass(SLOW_MS + 1000)
  const read = requestOf(ROOT, 'GET', exam.model.slug, `${receiver.path}/deliveries?limit=3`)
  const data = [{ event_id, state: 'delivered', attempts: 2, next_attempt_at: null }]
  await exam.send('after the attempt in flight', read, { status: 200, body: { data } })
  // After a retry would have come.
  await exam.pass(SLOW_MS)
  const { length } = receiver.attempts
  if (length !== 2) exam.violate(`${receiver.url} got ${length} attempts, although the redelivery had succeeded`)
  receiver.respondAsOthers()
}

/** The retries after 5, 30 and 120 s, each up to a tenth later. */
const THREE_RETRIES_MS = 195_000
const ATTEMPTS = 4
/** The failure of a redelivery or a test counts for nothing. */
const UNHARMED = { enabled: true, state: 'ok', failing_since: null }

/** An operator sends again what had arrived, to a receiver that fails by now: it is retried as if it were new. */
export async function redeliverInVain(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  await newProducts(exam, random, 1)
  await land(exam)
  const event_id = await receiver.newestDelivery()
  receiver.respond(500)
  await receiver.redeliver(event_id, { state: 'pending', last_status: 500 })
  await receiver.expect(UNHARMED)
  await exam.pass(THREE_RETRIES_MS)
  const attempts = receiver.attempts.length
  if (attempts !== ATTEMPTS)
    exam.violate(`${receiver.url} got ${attempts} attempts after a redelivery, not ${ATTEMPTS}`)
  checkSchedule(receiver)
  receiver.respondAsOthers()
  await receiver.enable()
  await land(exam)
}

/** The status 410 disables an endpoint, but not as the response to a test. */
export async function testInVain(exam: Examiner): Promise<void> {
  const receiver = await newReceiver(exam)
  for (const status of [500, 410]) {
    receiver.respond(status)
    await receiver.test(status)
    await receiver.expect(UNHARMED)
  }
  receiver.respondAsOthers()
}

const ENDPOINTS = 6
/** A wake-up takes no time. */
const MESSAGE_MS = 100
/** The every-minute job, which would help, does not run meanwhile. */
const ROUND_MS = 25_000

/** A store with many endpoints: an event reaches each of them, and none waits for another one's requests or its own. */
export async function crowd(exam: Examiner, random: Random): Promise<void> {
  const [slow, failing] = [await newReceiver(exam), await newReceiver(exam)]
  const all = [slow, failing]
  while (all.length < ENDPOINTS) all.push(await newReceiver(exam))
  for (const receiver of all) receiver.respond(204)
  slow.respond(204, { afterMs: SLOW_MS })
  failing.respond(500)
  await afterMinutelyJob(exam)
  await newProducts(exam, random, 1)
  for (let i = 0; i < ROUND_MS / 100 && slow.attempts.length === 0; i++) await exam.pass(100)
  await newProducts(exam, random, 1)
  await exam.pass(ROUND_MS)
  for (const { attempts, url } of all)
    if (new Set(attempts.map(({ id }) => id)).size < 2) exam.violate(`an event has not reached ${url}`)
  const [first, second] = slow.attempts
  if (first && second && second.at > first.at + SLOW_MS - 1)
    exam.violate(`an event waited for a request to ${slow.url}`)
  const known = failing.attempts.length
  await failing.enable()
  await exam.pass(MESSAGE_MS)
  if (failing.attempts.length === known) exam.violate(`${failing.url} was enabled, and waits for other endpoints`)
  for (const receiver of all) receiver.respondAsOthers()
}
