/** An operator sends again what had arrived, to a receiver that fails by now: it is retried as if it were new. */
import { enable } from '../clients/endpoints.ts'
import type { Client, Endpoint } from '../clients/client.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { checkSchedule, newEndpoint, newProducts } from './outages.ts'
import { land } from './perform.ts'

const SLOW_MS = 6000

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
  await exam.send('redelivery in flight', request, { status: 200, json: () => ({ event_id, state: 'delivered' }) })
  // Before a retry would come.
  await exam.pass(SLOW_MS + 1000)
  const read = requestOf(ROOT, 'GET', exam.model.slug, `${path}?limit=3`)
  await exam.send('after the attempt in flight', read, { status: 200, json: () => ({ data: [shown(2)] }) })
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
  await exam.send('redelivery in vain', request, { status: 200, json: () => shown })
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
    await exam.send('test in vain', test, { status: 200, json: () => ({ status }) })
    await expectUnharmed(exam, endpoint)
  }
  exam.world.scripts.delete(endpoint.url)
}

/** The failure of a redelivery or a test counts for nothing. */
async function expectUnharmed(exam: Examiner, { id }: Endpoint): Promise<void> {
  const read = requestOf(ROOT, 'GET', exam.model.slug, `/webhook_endpoints/${id}`)
  const unharmed = { enabled: true, state: 'ok', failing_since: null }
  await exam.send('endpoint after a failure that counts for nothing', read, { status: 200, json: () => unharmed })
}
