/** A receiver that fails for days, and one that is gone: what is sent, what is not, and what comes after it is enabled. */
import { createEndpoint, enable } from '../clients/endpoints.ts'
import type { Client, Endpoint } from '../clients/client.ts'
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { WEBHOOK } from '../../src/limits.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { newPerson } from './people.ts'
import { jumpTo, land, perform } from './perform.ts'

const TYPES = ['product.created']
/** The delays before a retry and before a probe, in seconds. Each is up to a tenth shorter or longer; the last one repeats. */
const DELAYS = [5, 30, 120, 600, 3600, 21_600]
const PROBE_DELAYS = [5, 30, 120, 600, 1800]
const JITTER = 0.1
/** Clocks differ, and the alarm rings by another one. */
const LATE_MS = 3000
const FAILURES_UNTIL_DOWN = 20
export async function failForDays(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  const { scripts } = exam.world
  const begin = exam.now
  scripts.set(endpoint.url, { status: 500 })
  // One delivery alone does not fail 20 times in three days.
  const patient = await newEndpoint(exam, client, ['custom_field.created'])
  scripts.set(patient.url, { status: 500 })
  await newField(exam)
  await newProducts(exam, random, 4)
  await exam.pass(200_000)
  await expectEnabled(exam, endpoint, true)
  await jumpTo(exam, begin + 2.9 * contract.DAY_MS)
  await newProducts(exam, random, 2)
  await expectEnabled(exam, endpoint, true)
  await jumpTo(exam, begin + 3.6 * contract.DAY_MS)
  await expectEnabled(exam, endpoint, false)
  exam.world.count('an endpoint is disabled after days')
  await newField(exam)
  await exam.pass(4000)
  await expectState(exam, patient, 'failing')
  await newProducts(exam, random, 1)
  await jumpTo(exam, begin + 4 * contract.DAY_MS)
  checkSchedule(exam, endpoint)
  await enable(client, exam.name('enable'), endpoint)
  // A successful test ends the outage. The probes have used up no retry, so the next failure gives up nothing.
  const path = `/webhook_endpoints/${endpoint.id}`
  scripts.set(endpoint.url, { status: 204 })
  const test = requestOf(ROOT, 'POST', exam.model.slug, `${path}/test`)
  await exam.send('test', test, { status: 200, json: () => ({ status: 204 }) })
  scripts.set(endpoint.url, { status: 500 })
  await exam.pass(5000)
  await exam.expectRows('what is given up', ROOT, `${path}/deliveries?state=failed`, [], 100)
  for (const each of [endpoint, patient]) {
    scripts.delete(each.url)
    await enable(client, exam.name('enable'), each)
  }
  await land(exam)
  for (const each of [endpoint, patient]) await redeliverFailed(exam, each)
}

/** The attempts of a delivery before its last one. */
const ATTEMPTS_BEFORE_LAST = 16

/** An endpoint goes down before the last retry of a delivery: to probe with it uses up no retry, so it is not given up. */
export async function probeWithLastRetry(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  const { scripts, scripted } = exam.world
  scripts.set(endpoint.url, { status: 500 })
  await newProducts(exam, random, 1)
  const attempts = () => scripted.filter(({ url }) => url === endpoint.url).length
  for (let hours = 0; hours < 70 && attempts() < ATTEMPTS_BEFORE_LAST; hours++)
    await jumpTo(exam, exam.now + contract.HOUR_MS)
  await newProducts(exam, random, FAILURES_UNTIL_DOWN - ATTEMPTS_BEFORE_LAST)
  // Two probes.
  await exam.pass(60_000)
  await expectState(exam, endpoint, 'down')
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  await exam.expectRows('what is given up', ROOT, `${path}?state=failed`, [], 100)
  scripts.delete(endpoint.url)
  await land(exam)
  await enable(client, exam.name('enable'), endpoint)
  await exam.pass(60_000)
  await exam.expectRows('what waits', ROOT, `${path}?state=pending`, [], 100)
}

/** When each attempt was made: by the schedule of its delivery, until the endpoint went down and was only probed. */
export function checkSchedule(exam: Examiner, { url }: Endpoint): void {
  const attempts = exam.world.scripted.filter((each) => each.url === url)
  const numbers = new Map<string, number>()
  const last = new Map<string, number>()
  for (const [i, { id, at }] of attempts.entries()) {
    const isProbe = i >= FAILURES_UNTIL_DOWN
    const number = isProbe ? i - FAILURES_UNTIL_DOWN : (numbers.get(id) ?? 0) - 1
    const before = isProbe ? attempts[i - 1]?.at : last.get(id)
    const delays = isProbe ? PROBE_DELAYS : DELAYS
    const expected = 1000 * (delays[number] ?? delays.at(-1) ?? 0)
    const waited = at - (before ?? at)
    const isInTime = waited >= expected * (1 - JITTER) && waited <= expected * (1 + JITTER) + LATE_MS
    if (before !== undefined && !isInTime)
      exam.violate(`${isProbe ? 'a probe of' : 'a retry to'} ${url} came after ${waited} ms, not ${expected}`)
    numbers.set(id, (numbers.get(id) ?? 0) + 1)
    last.set(id, at)
  }
}

/**
 * To enable an endpoint that fails forgives its failures, so that it has 20 again before it is down, and what waits is sent
 * at once. So it is after the first success of an endpoint that was down.
 */
export async function forgive(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  exam.world.scripts.set(endpoint.url, { status: 500 })
  await newProducts(exam, random, 4)
  await exam.pass(60_000)
  await expectState(exam, endpoint, 'failing')
  const attempts = exam.world.scripted.length
  await enable(client, exam.name('enable'), endpoint)
  await exam.pass(5000)
  if (exam.world.scripted.length < attempts + 4)
    exam.violate(`${endpoint.url} was enabled, and what waited still waits`)
  await newProducts(exam, random, 3)
  // Their fourth attempts fail too, so the next ones would be ten minutes later.
  await exam.pass(195_000)
  await expectState(exam, endpoint, 'failing')
  await newProducts(exam, random, 4)
  // The first probe succeeds: a failed one might make due what waits.
  for (let i = 0; i < 60 && (await readState(exam, endpoint)) !== 'down'; i++) await exam.pass(1000)
  await expectState(exam, endpoint, 'down')
  exam.world.scripts.delete(endpoint.url)
  await exam.pass(150_000)
  await expectState(exam, endpoint, 'ok')
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  await exam.expectRows('what waits', ROOT, `${path}?state=pending`, [], 100)
}

/** An endpoint that is down is probed at its new URL at once, and the schedule of its probes begins again. */
export async function moveWhileDown(exam: Examiner, client: Client, random: Random): Promise<void> {
  await exam.pass(1)
  await makeRoom(exam, client)
  const { scripts } = exam.world
  const [url, newUrl] = [newUrlOf(exam), newUrlOf(exam)]
  for (const each of [url, newUrl]) scripts.set(each, { status: 500 })
  const created = await perform(exam, 'endpoint to move', 'POST', {
    path: '/webhook_endpoints',
    body: { url, types: TYPES },
  })
  const id = String(created['id'])
  exam.kept.add(id)
  await newProducts(exam, random, 7)
  await exam.pass(240_000)
  await expectState(exam, { id }, 'down')
  const path = `/webhook_endpoints/${id}`
  await perform(exam, 'move', 'PATCH', { path, body: { url: newUrl } })
  await expectState(exam, { id }, 'down')
  await exam.pass(200_000)
  const times = exam.world.scripted.filter((each) => each.url === newUrl).map(({ at }) => at)
  const waited = times.slice(1).map((at, i) => at - (times[i] ?? at))
  // The first probe is the one that is sent at once.
  const isInTime = (ms: number, i: number) => ms <= 1000 * (PROBE_DELAYS[i + 1] ?? 0) * (1 + JITTER) + LATE_MS
  if (times.length < 3 || !waited.every(isInTime)) exam.violate(`${newUrl} was probed after ${waited.join(', ')} ms`)
  for (const each of [url, newUrl]) scripts.delete(each)
  await exam.pass(700_000)
  await expectState(exam, { id }, 'ok')
}

const newUrlOf = (exam: Examiner) => `https://hooks.example.com/${exam.model.slug}/${exam.slug('moving')}`

async function readState(exam: Examiner, { id }: Pick<Endpoint, 'id'>): Promise<unknown> {
  const request = requestOf(ROOT, 'GET', exam.model.slug, `/webhook_endpoints/${id}`)
  return (await exam.send('endpoint', request, { status: 200 })).json['state']
}

export async function expectState(exam: Examiner, { id }: Pick<Endpoint, 'id'>, state: string): Promise<void> {
  const request = requestOf(ROOT, 'GET', exam.model.slug, `/webhook_endpoints/${id}`)
  await exam.send('endpoint', request, { status: 200, json: () => ({ state }) })
}

const USERS_AT_ONCE = 32
const SLOW_MS = 3000
/** All of them, six at a time. The minutely job, which would help, does not run meanwhile. */
const SLOW_PATIENCE_MS = 30_000

/** Many events at once for a receiver that takes seconds: each invocation of the object leaves some to the next one, and none is forgotten. */
export async function overwhelm(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client, ['user.created'])
  exam.world.scripts.set(endpoint.url, { status: 204, afterMs: SLOW_MS })
  await exam.world.sleepUntil((Math.floor(exam.now / 60_000) + 1) * 60_000 + 1000)
  const people = Array.from({ length: USERS_AT_ONCE }, () => {
    const { password: _, custom_fields: __, ...person } = newPerson(exam, random)
    return person
  })
  await perform(exam, 'many users', 'POST', { path: '/users/batch', body: { items: people } })
  // Round trips take different times, so that of attempts that end together any may be recorded first.
  exam.world.takesTime = true
  await exam.pass(SLOW_PATIENCE_MS)
  exam.world.takesTime = false
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  await exam.expectRows('what waits', ROOT, `${path}?state=pending`, [], 100)
  exam.world.scripts.delete(endpoint.url)
}

export async function beGone(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  exam.world.scripts.set(endpoint.url, { status: 410 })
  await newProducts(exam, random, 1)
  await exam.pass(10_000)
  await expectEnabled(exam, endpoint, false)
  exam.world.count('an endpoint responds 410')
  await newProducts(exam, random, 1)
  await exam.pass(130_000)
  exam.world.scripts.delete(endpoint.url)
  await enable(client, exam.name('enable'), endpoint)
}

export async function newProducts(exam: Examiner, random: Random, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await exam.pass(random.pick([1, 300, 2000]))
    const name = exam.slug('product')
    await perform(exam, 'product', 'POST', { path: '/products', body: { name, slug: name, type: 'course' } })
  }
}

async function newField(exam: Examiner): Promise<void> {
  await exam.pass(1)
  await perform(exam, 'custom field', 'PUT', { path: `/custom_fields/${exam.slug('field')}`, body: {} })
}

export async function newEndpoint(exam: Examiner, client: Client, types = TYPES): Promise<Endpoint> {
  await exam.pass(1)
  await makeRoom(exam, client)
  const url = `https://hooks.example.com/${exam.model.slug}/${exam.slug('outage')}`
  const endpoint = await createEndpoint(client, exam.name('endpoint'), url, types)
  const made = exam.history.exchanges.at(-1)
  if (!endpoint || !made) throw new Error('the endpoint was not created')
  await exam.refer(made)
  exam.kept.add(endpoint.id)
  return endpoint
}

/** A store has a limited number of endpoints: deletes the oldest one that an earlier trial has left. */
async function makeRoom(exam: Examiner, { store }: Client): Promise<void> {
  const { endpoints } = exam.model
  if (endpoints.size < WEBHOOK.endpoints) return
  const left = store.endpoints.find(({ url }) => url.includes('outage'))
  const id = left?.id ?? [...endpoints.keys()].find((each) => !exam.kept.has(each))
  if (id === undefined) throw new Error('no endpoint can be deleted')
  await perform(exam, 'endpoint that makes room', 'DELETE', { path: `/webhook_endpoints/${id}` })
  if (left === undefined) return
  store.endpoints.splice(store.endpoints.indexOf(left), 1)
  store.formerEndpoints.push({ ...left, deletedAt: exam.now })
}

async function expectEnabled(exam: Examiner, { id }: Endpoint, enabled: boolean): Promise<void> {
  const json = (): Row => (enabled ? { enabled, disabled_at: null } : { enabled, next_attempt_at: null })
  await exam.send('endpoint', requestOf(ROOT, 'GET', exam.model.slug, `/webhook_endpoints/${id}`), {
    status: 200,
    json,
  })
}

/** A delivery that was given up is sent again only if an operator asks for it. */
async function redeliverFailed(exam: Examiner, endpoint: Endpoint): Promise<void> {
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  const list = { caller: ROOT, slug: exam.model.slug, path: `${path}?state=failed`, limit: 3 }
  for (const { event_id, state } of await exam.readPages('failed deliveries', list)) {
    if (state !== 'failed') exam.violate(`a list of failed deliveries shows ${String(state)}`)
    endpoint.redelivered.add(String(event_id))
    const request = requestOf(ROOT, 'POST', exam.model.slug, `${path}/${String(event_id)}/redeliver`)
    const shown = { event_id, state: 'delivered', last_status: 204 }
    await exam.send('redelivery', request, { status: 200, json: () => shown })
  }
  exam.world.count('a delivery was redelivered')
}
