/** What operators do with webhook endpoints: make and delete them, give them new secrets, have things sent. */
import type { Client, Endpoint } from './client.ts'
import * as contract from './contract.ts'
import { describe, type Told } from './history.ts'
import type { Random } from './random.ts'

type StoreOf = Pick<Client, 'store' | 'history'>

export async function createEndpoint(client: Client, name: string, url: string, types?: string[]) {
  const { store, history, world } = client
  const told = await history.ask(name, contract.createEndpoint(store.id, url, types))
  if (told.status !== 201) return undefined
  const secret = { secret: String(told.json['secret']), since: world.now, overlapHours: 0 }
  const endpoint: Endpoint = { id: String(told.json['id']), url, types, secrets: [secret], redelivered: new Set() }
  store.endpoints.push(endpoint)
  return endpoint
}

/** Whether it is disabled or not. */
export async function enable(client: StoreOf, name: string, endpoint: Endpoint): Promise<void> {
  const { store, history } = client
  const told = await history.persist(name, contract.enableEndpoint(store.id, endpoint.id), () => {})
  expect(client, endpoint, told, 200)
}

/** One of these answers, or 404 where somebody has deleted it meanwhile. */
function expect({ store, history }: StoreOf, endpoint: Endpoint, told: Told, ...statuses: number[]): void {
  const isGone = told.status === 404 && store.formerEndpoints.includes(endpoint)
  if (told.end !== Infinity && !statuses.includes(told.status ?? 0) && !isGone) {
    history.violations.push(`an endpoint: ${describe(told)}`)
  }
}

export async function enableSome(client: Client, name: string, random: Random): Promise<void> {
  await enable(client, name, random.pick(client.store.endpoints))
}

export async function rotateSome(client: Client, name: string, random: Random): Promise<void> {
  await rotate(client, name, random.pick(client.store.endpoints), 168)
}

/** The older ones sign for so long, too; more than four at once there are not. */
async function rotate(client: Client, name: string, endpoint: Endpoint, overlapHours: number): Promise<void> {
  const { store, history } = client
  await history.persist(name, contract.rotateSecret(store.id, endpoint.id, overlapHours), (told) => {
    expect(client, endpoint, told, 200, 422)
    // Without an answer there may be a secret that nobody knows, and the others end.
    if (told.isRefused) return
    const secret = told.status === 200 ? String(told.json['secret']) : undefined
    endpoint.secrets.push({ secret, since: told.call, overlapHours })
  })
}

/** Makes an endpoint, and deletes it a little later, or leaves it. */
export async function borrowEndpoint(client: Client, name: string, random: Random): Promise<void> {
  const { store, world, history } = client
  const url = `https://hooks.example.com/${store.id}/${name.replaceAll(/\W/g, '-')}`
  const endpoint = await createEndpoint(client, `${name} make`, url)
  if (!endpoint) return
  await world.sleep(random.between(0, 10_000))
  if (random.chance(0.5)) return rotate(client, `${name} rotate`, endpoint, 168)
  store.endpoints.splice(store.endpoints.indexOf(endpoint), 1)
  store.formerEndpoints.push(endpoint)
  const told = await history.persist(`${name} delete`, contract.deleteEndpoint(store.id, endpoint.id), () => {})
  expect(client, endpoint, told, 204, 404)
  if (told.end !== Infinity) endpoint.deletedAt = told.end
}

/** Any event that there has been, to any endpoint. */
export async function redeliver(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const endpoint = random.pick(store.endpoints)
  const event = String(1 + random.below(30))
  endpoint.redelivered.add(event)
  expect(client, endpoint, await history.ask(name, contract.redeliver(store.id, endpoint.id, event)), 200, 404)
}

export async function testEndpoint(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const endpoint = random.pick(store.endpoints)
  expect(client, endpoint, await history.ask(name, contract.testEndpoint(store.id, endpoint.id)), 200)
}
