/** The database is unavailable while endpoints have work: it fails, and then their alarms or the minutely job must deliver. */
import type { Client, Endpoint } from '../clients/client.ts'
import * as contract from '../contract.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { newEndpoint } from './outages.ts'

const ENDPOINTS = 4
/** Longer than the first delays of a retry. */
const OUTAGE_MS = 8 * 60_000
/** The alarm of a store with its own database may have failed so often that the minutely job has to wake its object. */
const MINUTES_AFTER = 15

export async function loseDatabase(exam: Examiner, client: Client): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const endpoints: Endpoint[] = []
  for (let i = 0; i < ENDPOINTS; i++) endpoints.push(await newEndpoint(exam, client))
  for (const endpoint of endpoints) world.scripts.set(endpoint.url, { status: 500 })
  const product = (slug: string) => contract.createProduct(model.slug, slug)
  await exam.send('product before the outage', product('before-the-outage'), { status: 201 })
  // The event has failed, and the times of its retries come during the outage.
  await exam.pass(10_000)
  const isOwn = exam.hasOwnPlace
  if (isOwn) await loseShared(exam)
  world.isExporting = !isOwn
  world.areObjectsDown = isOwn
  const known = world.logs.length
  await exam.pass(OUTAGE_MS)
  await exam.send('product in the outage', product('in-the-outage'), { status: 503, code: 'service_unavailable' })
  await exam.send('read in the outage', requestOf(ROOT, 'GET', model.slug, ''), {
    status: 503,
    code: 'service_unavailable',
  })
  const logged = world.logs.slice(known).filter((line) => line.includes('delivery_stopped'))
  for (const endpoint of endpoints)
    if (!logged.some((line) => JSON.parse(line).webhook_endpoint_id === Number(endpoint.id)))
      exam.violate(`the failed work of endpoint ${endpoint.id} was not logged`)
  world.isExporting = false
  world.areObjectsDown = false
  world.count('the work of an endpoint has failed')
  await expectRetries(exam, endpoints)
}

/** There is no new event, so only the minutely job, or an alarm, can wake the endpoints. */
async function expectRetries(exam: Examiner, endpoints: Endpoint[]): Promise<void> {
  const { scripts, scripted } = exam.world
  const known = scripted.length
  for (const endpoint of endpoints) scripts.set(endpoint.url, { status: 204 })
  const isSent = (endpoint: Endpoint) => scripted.slice(known).some(({ url }) => url === endpoint.url)
  for (let minute = 0; minute < MINUTES_AFTER && !endpoints.every(isSent); minute++) await exam.pass(60_000)
  for (const endpoint of endpoints) {
    if (!isSent(endpoint)) exam.violate(`nothing was sent to ${endpoint.url} after the outage`)
    scripts.delete(endpoint.url)
  }
}

/** A store with a database of its own serves its tokens while D1 is down, and its webhooks are sent. */
async function loseShared(exam: Examiner): Promise<void> {
  const { world, model } = exam
  await ensureTokens(exam)
  const [token = ROOT] = keepersOf(exam)
  world.isExporting = true
  await exam.pass(1)
  const path = '/users?limit=1'
  await exam.send('token while D1 is down', requestOf(token, 'GET', model.slug, path), { status: 200 })
  const down = { status: 503, code: 'service_unavailable' }
  await exam.send('operator while D1 is down', requestOf(exam.operators.admin, 'GET', model.slug, path), down)
  world.count('a store is served while D1 is down')
  world.isExporting = false
}
