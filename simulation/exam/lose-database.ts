/** The database is unavailable while the queue wakes endpoints: their polls fail, and then the minutely job must deliver. */
import { createEndpoint } from '../client-endpoints.ts'
import type { Client, Endpoint } from '../client.ts'
import * as contract from '../contract.ts'
import type { Row } from '../rows.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'

/** Enough for ranges of those that the minutely job finds. */
const ENDPOINTS = 6
/** Longer than the first delays of a retry. */
const OUTAGE_MS = 8 * 60_000
/** The alarm of a store with its own database may have failed so often that the minutely job has to wake its object. */
const MINUTES_AFTER = 15

export async function loseDatabase(exam: Examiner, client: Client): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const endpoints: (Endpoint | undefined)[] = []
  for (let i = 0; i < ENDPOINTS; i++) endpoints.push(await newEndpoint(exam, client))
  for (const endpoint of endpoints) world.scripts.set(endpoint?.url ?? '', { status: 500 })
  const product = (slug: string) => contract.createProduct(model.slug, slug)
  await exam.send('product before the outage', product('before-the-outage'), { status: 201 })
  // The event has failed, and the wake-ups of its retries come during the outage.
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
  // One may be about a range of endpoints.
  const logged = world.logs.slice(known).filter((line) => line.includes('poll_failed'))
  for (const endpoint of endpoints)
    if (!logged.some((line) => isAbout(JSON.parse(line), Number(endpoint?.id))))
      exam.violate(`the failed poll of endpoint ${String(endpoint?.id)} was not logged`)
  world.isExporting = false
  world.areObjectsDown = false
  world.count('a failed poll')
  await expectRetries(exam, endpoints)
}

/** There is no new event, so only the minutely job, or the alarm, can wake the endpoints. */
async function expectRetries(exam: Examiner, endpoints: (Endpoint | undefined)[]): Promise<void> {
  const { scripts, scripted } = exam.world
  const known = scripted.length
  for (const endpoint of endpoints) scripts.set(endpoint?.url ?? '', { status: 204 })
  const isSent = (endpoint: Endpoint | undefined) => scripted.slice(known).some(({ url }) => url === endpoint?.url)
  for (let minute = 0; minute < MINUTES_AFTER && !endpoints.every(isSent); minute++) await exam.pass(60_000)
  for (const endpoint of endpoints) {
    if (!isSent(endpoint)) exam.violate(`nothing was sent to ${String(endpoint?.url)} after the outage`)
    scripts.delete(endpoint?.url ?? '')
  }
}

/** True if the log line names the endpoint, or a range that contains it. */
function isAbout(line: Row, id: number): boolean {
  const { webhook_endpoint_id, first_webhook_endpoint_id = webhook_endpoint_id } = line
  const { last_webhook_endpoint_id = webhook_endpoint_id } = line
  return Number(first_webhook_endpoint_id) <= id && id <= Number(last_webhook_endpoint_id)
}

function newEndpoint(exam: Examiner, client: Client) {
  const url = `https://hooks.example.com/${exam.model.slug}/${exam.slug('outage')}`
  return createEndpoint(client, exam.name('endpoint'), url, ['product.created'])
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
