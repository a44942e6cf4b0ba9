/**
 * A client per store that changes all accesses to one course at once, cancels and reverts, while it also changes some of
 * them one by one. No other client knows these accesses, so it is known which ones a bulk change must reach
 * (checks/bulk.ts).
 */
import { newUser } from './creates.ts'
import type { Client } from './client.ts'
import type { Script } from './clients.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'

const ACCESSES = 5
const DUE = Date.UTC(2030, 0, 1)

export interface Course {
  client: Client
  product: string
  accesses: string[]
  /** The ids of its bulk changes that a response has shown. */
  bulkChanges: string[]
}

/** Creates a product, and users with an access to it, each with its own due date. */
export async function setUpCourse(client: Client): Promise<Course> {
  const { store, history, name } = client
  const token = store.tokens[0]?.secret ?? ''
  const product = String((await history.send(`${name} course`, contract.createProduct(store.id, 'bulk'))).json['id'])
  const accesses: string[] = []
  for (let i = 0; i < ACCESSES; i++) {
    const user = newUser(store, `pupil-${i}`, `${name} pupil ${i}`)
    const { json } = await history.send(`${name} pupil ${i}`, contract.createUser(store.id, token, user))
    const access_due_date = new Date(DUE + i * 1000).toISOString()
    const grant = { user_id: String(json['id']), product_id: product, access_due_date }
    const granted = await history.send(`${name} grant ${i}`, contract.grant(store.id, grant))
    if (granted.status !== 201) throw new Error(`the set-up failed: ${describe(granted)}`)
    accesses.push(String(granted.json['id']))
  }
  return { client, product, accesses, bulkChanges: [] }
}

export async function runBulkChanges(course: Course, { from, to, without }: Script): Promise<void> {
  const { client } = course
  for (let i = from; i < to; i++) {
    const name = `${client.name}.${i}`
    const random = client.world.random.stream(name)
    await client.world.sleep(random.between(0, 15_000))
    const step = random.weighted({ create: 4, revert: 3, cancel: 1, update: 4 })
    if (!without.has(name)) await STEPS[step](course, `${name} ${step}`, random)
  }
}

const STEPS = { create, revert, cancel, update }

/** Sometimes creates two at once, of which one waits, and sometimes cancels while one may be running. */
async function create(course: Course, name: string, random: Random): Promise<void> {
  const both = [createOne(course, name, random)]
  if (random.chance(0.4)) both.push(createOne(course, `${name} second`, random))
  await Promise.all(both)
  if (!random.chance(0.4)) return
  await course.client.world.sleep(random.between(0, 2500))
  await cancel(course, `${name} cancel`)
}

async function createOne({ client, product, ...course }: Course, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const status = random.pick(contract.STATUSES)
  const change = random.pick([{ extend_days: 1 }, { status }, { status, extend_days: 2 }, { access_due_date: null }])
  const dry_run = random.chance(0.3)
  const key = random.chance(0.5) ? name.replaceAll(/\W/g, '-') : undefined
  const body = { filter: { product_id: product }, change, dry_run }
  const request = contract.createBulkChange(store.id, random.pick(store.tokens).secret, body, key)
  // Without a key, each request may create one.
  if (key === undefined) record(course, client, await history.send(name, request))
  else await history.sendUntilKnown(name, request, (exchange) => record(course, client, exchange))
}

async function revert({ client, ...course }: Course, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = course.bulkChanges.at(-1 - random.below(2))
  if (id === undefined) return
  const request = contract.revertBulkChange(store.id, random.pick(store.tokens).secret, id, name.replaceAll(/\W/g, '-'))
  await history.sendUntilKnown(name, request, (exchange) => record(course, client, exchange, ['not_done']))
}

async function cancel({ client, ...course }: Course, name: string): Promise<void> {
  const id = course.bulkChanges.at(-1)
  if (id === undefined) return
  const exchange = await client.history.send(name, contract.cancelBulkChange(client.store.id, id))
  expectStatus(client, exchange, 200, ['not_running'])
}

/** Changes one access of the course, as if by hand. */
async function update({ client, accesses }: Course, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const set = random.pick([{ status: 'without_access' }, { status: 'with_access' }, { access_due_date: null }])
  const request = contract.updateAccess(store.id, random.pick(store.tokens).secret, random.pick(accesses), set)
  expectStatus(client, await history.send(name, request), 201)
}

function record(
  { bulkChanges }: Pick<Course, 'bulkChanges'>,
  client: Client,
  exchange: Exchange,
  codes: string[] = [],
): void {
  const id = String(exchange.json['id'])
  if (exchange.status === 202 && !bulkChanges.includes(id)) bulkChanges.push(id)
  expectStatus(client, exchange, 202, codes)
}

function expectStatus({ history }: Client, exchange: Exchange, status: number, codes: string[] = []): void {
  const isExpected = exchange.status === status || codes.includes(String(exchange.json['code']))
  if (exchange.end !== Infinity && !isExpected) {
    history.violations.push(`a bulk change got an unexpected response: ${describe(exchange)}`)
  }
}
