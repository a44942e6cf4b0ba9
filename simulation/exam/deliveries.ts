/** Single deliveries: signatures, redeliveries, tests, many endpoints, and the death of an object. */
import type { Client, Endpoint } from '../clients/client.ts'
import * as contract from '../contract.ts'
import { HOUR_MS } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { type Examiner, ROOT, requestOf } from './examiner.ts'
import { newEndpoint, newProducts, checkSchedule } from './outages.ts'
import { jumpTo, land, perform } from './perform.ts'
import { enable } from '../clients/endpoints.ts'
import { liveCallers } from '../reference/callers.ts'

const OVERLAP_HOURS = 1

/** A replaced secret signs until its overlap ends, and not after that. */
export async function expireSecret(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  const json = await rotateSecret(exam, endpoint)
  const end = exam.now + OVERLAP_HOURS * HOUR_MS
  endpoint.secrets.push({ secret: String(json['secret']), since: exam.now, overlapHours: OVERLAP_HOURS })
  exam.world.scripts.set(endpoint.url, { status: 204 })
  await jumpTo(exam, end - 60_000)
  await expectSignatures(exam, random, endpoint, 2)
  await jumpTo(exam, end)
  await expectSignatures(exam, random, endpoint, 1)
  exam.world.scripts.delete(endpoint.url)
  await land(exam)
}

/** Rotates the secret with an overlap. */
export function rotateSecret(exam: Examiner, { id }: Endpoint): Promise<Row> {
  const path = `/webhook_endpoints/${id}/rotate_secret`
  return perform(exam, 'rotation of a secret', 'POST', { path, body: { overlap_hours: OVERLAP_HOURS } })
}

export async function expectSignatures(
  exam: Examiner,
  random: Random,
  { url }: Endpoint,
  count: number,
): Promise<void> {
  await newProducts(exam, random, 1)
  await exam.pass(10_000)
  const found = exam.world.scripted.findLast((each) => each.url === url)?.signatures
  if (found !== count) exam.violate(`${found} secrets have signed a delivery to ${url}, and not ${count}`)
}

/** The object has an alarm while it works. */
const ABANDONED_MS = 40_000

/** The object dies during an attempt. Nobody wakes it, and yet the delivery is sent again. */
export async function loseObject(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  const { scripts } = exam.world
  scripts.set(endpoint.url, { status: 204, killsSender: true })
  await newProducts(exam, random, 1)
  await exam.pass(5000)
  scripts.set(endpoint.url, { status: 204 })
  await exam.pass(ABANDONED_MS)
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  await exam.expectRows('what waits', ROOT, `${path}?state=pending`, [], 100)
  scripts.delete(endpoint.url)
}

/** Below the deadline of a receiver. */
const SLOW_MS = 8000

/** An operator sends again what is in flight, with success. That the attempt in flight fails afterwards changes nothing. */
export async function redeliverInFlight(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  const { scripts } = exam.world
  scripts.set(endpoint.url, { status: 500, afterMs: SLOW_MS })
  await newProducts(exam, random, 1)
  for (let i = 0; i < 60 && !exam.world.scripted.some(({ url }) => url === endpoint.url); i++) await exam.pass(200)
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  const list = { caller: ROOT, slug: exam.model.slug, path, limit: 3 }
  const [inFlight] = await exam.readPages('deliveries', list)
  const event_id = String(inFlight?.['event_id'])
  endpoint.redelivered.add(event_id)
  scripts.set(endpoint.url, { status: 204 })
  const shown = (attempts: number) => ({ event_id, state: 'delivered', attempts, next_attempt_at: null })
  const request = requestOf(ROOT, 'POST', exam.model.slug, `${path}/${event_id}/redeliver`)
  await exam.send('redelivery in flight', request, { status: 200, body: { event_id, state: 'delivered' } })
  await exam.pass(2 * SLOW_MS)
  const read = requestOf(ROOT, 'GET', exam.model.slug, `${path}?limit=3`)
  await exam.send('after the attempt in flight', read, { status: 200, body: { data: [shown(2)] } })
  scripts.delete(endpoint.url)
}

/** The retries after 5, 30 and 120 s, each up to a tenth later. */
const THREE_RETRIES_MS = 195_000
const ATTEMPTS = 4

export async function redeliverInVain(exam: Examiner, client: Client, random: Random): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  await newProducts(exam, random, 1)
  await land(exam)
  const path = `/webhook_endpoints/${endpoint.id}/deliveries`
  const list = { caller: ROOT, slug: exam.model.slug, path, limit: 3 }
  const [delivered] = await exam.readPages('deliveries', list)
  const event_id = String(delivered?.['event_id'])
  endpoint.redelivered.add(event_id)
  exam.world.scripts.set(endpoint.url, { status: 500 })
  const request = requestOf(ROOT, 'POST', exam.model.slug, `${path}/${event_id}/redeliver`)
  const shown = { event_id, state: 'pending', last_status: 500 }
  await exam.send('redelivery in vain', request, { status: 200, body: shown })
  await expectUnharmed(exam, endpoint)
  await exam.pass(THREE_RETRIES_MS)
  const attempts = exam.world.scripted.filter(({ url }) => url === endpoint.url).length
  if (attempts !== ATTEMPTS)
    exam.violate(`${endpoint.url} got ${attempts} attempts after a redelivery, not ${ATTEMPTS}`)
  checkSchedule(exam, endpoint)
  exam.world.scripts.delete(endpoint.url)
  await enable(client, exam.name('enable'), endpoint)
  await land(exam)
}

/** The status 410 disables an endpoint, but not as the response to a test. */
export async function testInVain(exam: Examiner, client: Client): Promise<void> {
  const endpoint = await newEndpoint(exam, client)
  for (const status of [500, 410]) {
    exam.world.scripts.set(endpoint.url, { status })
    const test = requestOf(ROOT, 'POST', exam.model.slug, `/webhook_endpoints/${endpoint.id}/test`)
    await exam.send('test in vain', test, { status: 200, body: { status } })
    await expectUnharmed(exam, endpoint)
  }
  exam.world.scripts.delete(endpoint.url)
}

/** The failure of a redelivery or a test counts for nothing. */
async function expectUnharmed(exam: Examiner, { id }: Endpoint): Promise<void> {
  const read = requestOf(ROOT, 'GET', exam.model.slug, `/webhook_endpoints/${id}`)
  const unharmed = { enabled: true, state: 'ok', failing_since: null }
  await exam.send('endpoint after a failure that counts for nothing', read, { status: 200, body: unharmed })
}

const ENDPOINTS = 6
/** A wake-up takes no time. */
const MESSAGE_MS = 100
/** The minutely job, which would help, does not run meanwhile. */
const ROUND_MS = 25_000

export async function crowd(exam: Examiner, client: Client, random: Random): Promise<void> {
  const { world } = exam
  const endpoints: Endpoint[] = []
  for (let i = 0; i < ENDPOINTS; i++) endpoints.push(await newEndpoint(exam, client))
  for (const { url } of endpoints) world.scripts.set(url, { status: 204 })
  const [slow, failing] = endpoints
  if (slow === undefined || failing === undefined) throw new Error('the examiner has no endpoints')
  world.scripts.set(slow.url, { status: 204, afterMs: SLOW_MS })
  world.scripts.set(failing.url, { status: 500 })
  await world.sleepUntil((Math.floor(exam.now / 60_000) + 1) * 60_000 + 1000)
  await newProducts(exam, random, 1)
  for (let i = 0; i < ROUND_MS / 100 && attemptsOf(exam, slow).length === 0; i++) await exam.pass(100)
  await newProducts(exam, random, 1)
  await exam.pass(ROUND_MS)
  for (const endpoint of endpoints)
    if (new Set(attemptsOf(exam, endpoint).map(({ id }) => id)).size < 2)
      exam.violate(`an event has not reached ${endpoint.url}`)
  const [first, second] = attemptsOf(exam, slow)
  if (first && second && second.at > first.at + SLOW_MS - 1)
    exam.violate(`an event waited for a request to ${slow.url}`)
  const known = attemptsOf(exam, failing).length
  await enable(client, exam.name('enable'), failing)
  await exam.pass(MESSAGE_MS)
  if (attemptsOf(exam, failing).length === known)
    exam.violate(`${failing.url} was enabled, and waits for other endpoints`)
  for (const { url } of endpoints) world.scripts.delete(url)
}

function attemptsOf({ world }: Examiner, { url }: Endpoint) {
  return world.scripted.filter((each) => each.url === url)
}

/** How many replaced secrets may be valid at once. */
const MAX_OLDER = 3

export async function rotateOften(exam: Examiner, client: Client, random: Random): Promise<void> {
  await exam.pass(1)
  await rotateTokenOften(exam)
  const endpoint = await newEndpoint(exam, client)
  exam.world.scripts.set(endpoint.url, { status: 204 })
  for (let i = 0; i <= MAX_OLDER; i++) await rotateSecret(exam, endpoint)
  await expectSignatures(exam, random, endpoint, MAX_OLDER + 1)
  exam.world.scripts.delete(endpoint.url)
}

async function rotateTokenOften(exam: Examiner): Promise<void> {
  const body = { name: 'exam of rotations', scopes: contract.SCOPES }
  const { id } = await perform(exam, 'token to rotate', 'POST', { path: '/tokens', body })
  const rotation = { path: `/tokens/${String(id)}/rotate`, body: { overlap_hours: 24 } }
  for (let i = 0; i <= MAX_OLDER; i++) await perform(exam, `rotation ${i}`, 'POST', rotation)
  for (const { secret, token } of liveCallers(exam.model, exam.now))
    if (token?.id === id) await exam.send('one of four secrets', contract.readToken(secret ?? ''))
}
