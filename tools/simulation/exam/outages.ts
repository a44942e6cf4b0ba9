/** A receiver that fails for days, and one that is gone: what is sent, what is not, and what comes after it is enabled. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { newPerson } from './people.ts'
import { jumpTo, land, perform } from './perform.ts'
import {
  afterMinutelyJob,
  checkSchedule,
  FAILURES_UNTIL_DOWN,
  newProducts,
  newReceiver,
  type Receiver,
} from './receivers.ts'

const ENABLED = { enabled: true, disabled_at: null }
const DISABLED = { enabled: false, next_attempt_at: null }

export async function failForDays(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  const begin = exam.now
  receiver.respond(500)
  // One delivery alone does not fail 20 times in three days.
  const patient = await newReceiver(exam, ['custom_field.created'])
  patient.respond(500)
  await newField(exam)
  await newProducts(exam, random, 4)
  await exam.pass(200_000)
  await receiver.expect(ENABLED)
  await jumpTo(exam, begin + 2.9 * contract.DAY_MS)
  await newProducts(exam, random, 2)
  await receiver.expect(ENABLED)
  await jumpTo(exam, begin + 3.6 * contract.DAY_MS)
  await receiver.expect(DISABLED)
  exam.world.count('an endpoint is disabled after days')
  await newField(exam)
  await exam.pass(4000)
  await patient.expect({ state: 'failing' })
  await newProducts(exam, random, 1)
  await jumpTo(exam, begin + 4 * contract.DAY_MS)
  checkSchedule(receiver)
  await receiver.enable()
  // A successful test ends the outage. The probes have used up no retry, so the next failure gives up nothing.
  receiver.respond(204)
  await receiver.test(204)
  receiver.respond(500)
  await exam.pass(5000)
  await receiver.expectNone('failed')
  for (const each of [receiver, patient]) {
    each.respondAsOthers()
    await each.enable()
  }
  await land(exam)
  for (const each of [receiver, patient]) await redeliverFailed(each)
}

async function newField(exam: Examiner): Promise<void> {
  await exam.pass(1)
  await perform(exam, 'custom field', 'PUT', { path: `/custom_fields/${exam.slug('field')}`, body: {} })
}

/** A delivery that was given up is sent again only if an operator asks for it. */
async function redeliverFailed(receiver: Receiver): Promise<void> {
  const { exam, path } = receiver
  const list = { caller: ROOT, slug: exam.model.slug, path: `${path}/deliveries?state=failed`, limit: 3 }
  for (const { event_id } of await exam.readPages('failed deliveries', list))
    await receiver.redeliver(String(event_id), { state: 'delivered', last_status: 204 })
  exam.world.count('a delivery was redelivered')
}

/** The attempts of a delivery before its last one. */
const ATTEMPTS_BEFORE_LAST = 16

/** An endpoint goes down before the last retry of a delivery: to probe with it uses up no retry, so it is not given up. */
export async function probeWithLastRetry(exam: Examiner, random: Random): Promise<void> {
  const receiver = await failUntilLastRetry(exam, random)
  await newProducts(exam, random, FAILURES_UNTIL_DOWN - ATTEMPTS_BEFORE_LAST)
  // Two probes.
  await exam.pass(60_000)
  await receiver.expect({ state: 'down' })
  await deliverAll(receiver)
}

/** While the last retry is in flight, another delivery learns that the endpoint is gone: no delivery is given up. */
export async function disableDuringLastRetry(exam: Examiner, random: Random): Promise<void> {
  const receiver = await failUntilLastRetry(exam, random)
  const list = { caller: ROOT, slug: exam.model.slug, path: `${receiver.path}/deliveries` }
  const [last] = await exam.readPages('the last retry', list)
  await jumpTo(exam, Date.parse(String(last?.['next_attempt_at'])) - 1000)
  receiver.respond(500, { afterMs: SLOW_MS })
  for (let i = 0; i < 60 && receiver.attempts.length === ATTEMPTS_BEFORE_LAST; i++) await exam.pass(100)
  receiver.respond(410)
  await newProducts(exam, random, 1)
  await exam.pass(SLOW_MS + 1000)
  await receiver.expect({ state: 'disabled' })
  await deliverAll(receiver)
}

async function failUntilLastRetry(exam: Examiner, random: Random): Promise<Receiver> {
  const receiver = await newReceiver(exam)
  receiver.respond(500)
  await newProducts(exam, random, 1)
  for (let hours = 0; hours < 70 && receiver.attempts.length < ATTEMPTS_BEFORE_LAST; hours++)
    await jumpTo(exam, exam.now + contract.HOUR_MS)
  return receiver
}

async function deliverAll(receiver: Receiver): Promise<void> {
  await receiver.expectNone('failed')
  receiver.respondAsOthers()
  await land(receiver.exam)
  await receiver.enable()
  await receiver.exam.pass(60_000)
  await receiver.expectNone('pending')
}

/**
 * To enable an endpoint that fails forgives its failures, so that it has 20 again before it is down, and what waits is sent
 * at once. So it is after the first success of an endpoint that was down.
 */
export async function forgive(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  receiver.respond(500)
  await newProducts(exam, random, 4)
  await exam.pass(60_000)
  await receiver.expect({ state: 'failing' })
  const known = receiver.attempts.length
  await receiver.enable()
  await exam.pass(5000)
  if (receiver.attempts.length < known + 4) exam.violate(`${receiver.url} was enabled, and what waited still waits`)
  await newProducts(exam, random, 3)
  // Their fourth attempts fail too, so the next ones would be ten minutes later.
  await exam.pass(195_000)
  await receiver.expect({ state: 'failing' })
  await newProducts(exam, random, 4)
  // The first probe succeeds: a failed one might make due what waits.
  for (let i = 0; i < 60 && (await receiver.readState()) !== 'down'; i++) await exam.pass(1000)
  await receiver.expect({ state: 'down' })
  receiver.respondAsOthers()
  await exam.pass(150_000)
  await receiver.expect({ state: 'ok' })
  await receiver.expectNone('pending')
}

/** The longest times before the second and the third probe, and some seconds. */
const PROBED_WITHIN_MS = [36_000, 135_000]

/** An endpoint that is down is probed at its new URL at once, and the schedule of its probes begins again. */
export async function moveWhileDown(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  const url = `${receiver.url}-moved`
  const { scripts, scripted } = exam.world
  receiver.respond(500)
  scripts.set(url, { status: 500 })
  await newProducts(exam, random, 7)
  await exam.pass(240_000)
  await receiver.expect({ state: 'down' })
  await perform(exam, 'move', 'PATCH', { path: receiver.path, body: { url } })
  // The checks at the end of the run expect the same URL of all its deliveries.
  exam.store.endpoints.splice(exam.store.endpoints.indexOf(receiver.endpoint), 1)
  await receiver.expect({ state: 'down' })
  await exam.pass(200_000)
  const times = scripted.filter((each) => each.url === url).map(({ at }) => at)
  const waited = times.slice(1).map((at, i) => at - (times[i] ?? at))
  // The first probe is the one that is sent at once.
  if (times.length < 3 || waited.some((ms, i) => ms > (PROBED_WITHIN_MS[i] ?? Infinity)))
    exam.violate(`${url} was probed after ${waited.join(', ')} ms`)
  receiver.respondAsOthers()
  scripts.delete(url)
  await exam.pass(700_000)
  await receiver.expect({ state: 'ok' })
}

const USERS_AT_ONCE = 32
const SLOW_MS = 3000
/** All of them, six at a time. The every-minute job, which would help, does not run meanwhile. */
const SLOW_PATIENCE_MS = 30_000

/** Many events at once for a receiver that takes seconds: each invocation of the object leaves some to the next one, and none is forgotten. */
export async function overwhelm(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam, ['user.created'])
  receiver.respond(204, { afterMs: SLOW_MS })
  await afterMinutelyJob(exam)
  const people = Array.from({ length: USERS_AT_ONCE }, () => {
    const { password: _, custom_fields: __, ...person } = newPerson(exam, random)
    return person
  })
  await perform(exam, 'many users', 'POST', { path: '/users/batch', body: { items: people } })
  // Round trips take different times, so that of attempts that end together any may be recorded first.
  exam.world.takesTime = true
  await exam.pass(SLOW_PATIENCE_MS)
  exam.world.takesTime = false
  await receiver.expectNone('pending')
  receiver.respondAsOthers()
}

export async function beGone(exam: Examiner, random: Random): Promise<void> {
  const receiver = await newReceiver(exam)
  receiver.respond(410)
  await newProducts(exam, random, 1)
  await exam.pass(10_000)
  await receiver.expect(DISABLED)
  exam.world.count('an endpoint responds 410')
  await newProducts(exam, random, 1)
  await exam.pass(130_000)
  receiver.respondAsOthers()
  await receiver.enable()
}
