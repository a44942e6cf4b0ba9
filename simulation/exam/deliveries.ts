/** Deliveries of which nobody but the service takes care: after a rotation, and after a death of the object. */
import type { Client, Endpoint } from '../clients/client.ts'
import { HOUR_MS } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { type Examiner, ROOT } from './examiner.ts'
import { newEndpoint, newProducts } from './outages.ts'
import { jumpTo, land, perform } from './perform.ts'

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
