/** Instances die, or databases are slow, at moments at which something else happens: nothing is forgotten. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { SLOW_MS } from '../world/world.ts'
import { decide } from './decide.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { newReceiver } from './receivers.ts'
import { newPerson } from './people.ts'
import { endSuspension, perform } from './perform.ts'

/** The every-minute job looks for what has stood still for a minute. */
const RESUMED_MS = 130_000

/** The instance dies between a change and the calls that wake objects. No other change follows: the every-minute job wakes them. */
export async function loseWakeUps(exam: Examiner, random: Random): Promise<void> {
  await endSuspension(exam)
  await ensureTokens(exam)
  const receiver = await newReceiver(exam, ['user.created'])
  receiver.respond(204)
  const { password: _, custom_fields: __, ...person } = newPerson(exam, random)
  await dieAfter(exam, 'POST /v1/stores/{store_id}/users', person)
  const created = (await exam.readFeed()).findLast(({ type }) => type === 'user.created')
  const body = { filter: {}, change: { extend_days: 1 }, dry_run: true }
  await dieAfter(exam, 'POST /v1/stores/{store_id}/bulk_changes', body)
  await exam.pass(RESUMED_MS)
  if (!exam.world.sent.has(`${receiver.url} ${String(created?.['id'])}`))
    exam.violate(`nobody has woken ${receiver.url} after an instance died`)
  const path = `/bulk_changes/${[...exam.model.bulkChanges.keys()].at(-1)}`
  const read = requestOf(ROOT, 'GET', exam.model.slug, path)
  await exam.send('bulk change after its instance died', read, { status: 200, body: { state: 'done' } })
  receiver.respondAsOthers()
}

/** Sends a request of a token, whose instance dies as soon as the change is committed. */
async function dieAfter(exam: Examiner, operation: string, body: object): Promise<void> {
  const { world, model } = exam
  const [caller = ROOT] = keepersOf(exam)
  const [method = '', path = ''] = operation.split(' ')
  const name = exam.name(`${operation} whose instance dies`)
  const kind = 'the instance dies after the commit'
  world.forcedFault = { actor: name, what: exam.hasOwnPlace ? 'object' : 'D1', kind }
  const request = { method, path: path.replace('{store_id}', model.slug), token: caller.secret ?? '', body }
  const exchange = await exam.history.send(name, request)
  // The search for the shortest history may have left the fault out.
  await (exchange.status === undefined || exchange.status === 503 ? decide(exam, exchange) : exam.refer(exchange))
}

/** A creation that an instance did not end: the checks complete it at the end of the run (checks/creations.ts). */
export async function interruptCreation(exam: Examiner, random: Random): Promise<void> {
  const name = exam.name('creation whose instance dies')
  const kind = random.pick(['the instance dies before', 'the instance dies after the commit'])
  exam.world.forcedFault = { actor: name, what: 'object', kind }
  const place = random.pick<contract.Place>([{ place: 'own' }, { place: 'own', jurisdiction: 'eu' }])
  await exam.history.send(name, contract.createStore(exam.slug('interrupted'), place))
}

/** What happens during a trip to the database, which has been read by then, leads to another trip. */
export async function changeDuringTrips(exam: Examiner): Promise<void> {
  const receiver = await newReceiver(exam)
  const { sent } = exam.world
  Object.assign(exam.world, { slowAnswersOf: /(^| in )endpoint \d+ /, slowAnswersMs: SLOW_MS })
  // After the trip that reads the event, it is sent. The attempt fails during the next trip, which reports that it was sent.
  receiver.respond(500, { afterMs: SLOW_MS / 2 })
  await newProduct(exam)
  await exam.pass(4 * SLOW_MS)
  await receiver.expect({ state: 'failing' })
  receiver.respond(204)
  await exam.pass(30_000)
  // An event leads to several trips, of which the last ones read nothing. Another event comes in one of them.
  for (let trip = 0; trip < 4; trip++) {
    await newProduct(exam)
    await exam.pass((trip + 0.5) * SLOW_MS)
    const id = await newProduct(exam)
    await exam.pass(3 * SLOW_MS)
    if (!sent.has(`${receiver.url} ${id}`)) exam.violate(`event ${id} came during a trip, and was not sent`)
  }
  exam.world.slowAnswersOf = undefined
  receiver.respondAsOthers()
}

async function newProduct(exam: Examiner): Promise<string> {
  await exam.pass(1)
  const slug = exam.slug('product')
  const body = { slug, name: slug, type: 'course' }
  return String((await perform(exam, 'product', 'POST', { path: '/products', body }))['id'])
}
