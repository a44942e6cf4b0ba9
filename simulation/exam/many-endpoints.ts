/** A store with many endpoints: an event reaches each of them, and none waits for another one's requests or its own. */
import { enable } from '../clients/endpoints.ts'
import type { Client, Endpoint } from '../clients/client.ts'
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { newEndpoint, newProducts } from './outages.ts'

const ENDPOINTS = 6
const SLOW_MS = 9000
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
