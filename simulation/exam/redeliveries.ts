/** An operator sends again what had arrived, to a receiver that fails by now: it is retried as if it were new. */
import { enable } from '../client-endpoints.ts'
import type { Client } from '../client.ts'
import type { Random } from '../random.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { checkSchedule, newEndpoint, newProducts } from './outages.ts'
import { land } from './times.ts'

/** The retries after 5, 30 and 120 s, each up to a tenth later and by a wake-up that takes some seconds. */
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
  await exam.pass(THREE_RETRIES_MS)
  const attempts = exam.world.scripted.filter(({ url }) => url === endpoint.url).length
  if (attempts !== ATTEMPTS)
    exam.violate(`${endpoint.url} got ${attempts} attempts after a redelivery, not ${ATTEMPTS}`)
  checkSchedule(exam, endpoint)
  exam.world.scripts.delete(endpoint.url)
  await enable(client, exam.name('enable'), endpoint)
  await land(exam)
}
