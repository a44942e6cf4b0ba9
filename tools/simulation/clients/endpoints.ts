/** Steps of operators that create, delete, enable and test webhook endpoints, rotate their secrets, and redeliver. */
import type { Client, Endpoint } from './client.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'

type StoreOf = Pick<Client, 'store' | 'history'>

export async function createEndpoint(
  client: StoreOf & Pick<Client, 'world'>,
  name: string,
  url: string,
  types?: string[],
) {
  const { store, history, world } = client
  const exchange = await history.send(name, contract.createEndpoint(store.id, url, types))
  if (exchange.status !== 201) return undefined
  const secret = { secret: String(exchange.json['secret']), since: world.now, overlapHours: 0 }
  const endpoint: Endpoint = { id: String(exchange.json['id']), url, types, secrets: [secret], redelivered: new Set() }
  store.endpoints.push(endpoint)
  return endpoint
}

/** Enables an endpoint. If it is enabled already, the response is also 200. */
export async function enable(client: StoreOf, name: string, endpoint: Endpoint): Promise<void> {
  const { store, history } = client
  const exchange = await history.sendUntilKnown(name, contract.enableEndpoint(store.id, endpoint.id))
  expect(client, endpoint, exchange, 200)
}

/** Accepts one of these statuses, or 404 if somebody has deleted the endpoint meanwhile. */
function expect({ store, history }: StoreOf, endpoint: Endpoint, exchange: Exchange, ...statuses: number[]): void {
  const isGone = exchange.status === 404 && store.formerEndpoints.includes(endpoint)
  if (exchange.end !== Infinity && !statuses.includes(exchange.status ?? 0) && !isGone) {
    history.violations.push(`an endpoint got an unexpected response: ${describe(exchange)}`)
  }
}

export async function enableSome(client: Client, name: string, random: Random): Promise<void> {
  await enable(client, name, random.pick(client.store.endpoints))
}

export async function rotateSome(client: Client, name: string, random: Random): Promise<void> {
  await rotate(client, name, random.pick(client.store.endpoints), 168)
}

/**
 * The older secrets also sign during the overlap. An endpoint with four valid secrets rejects another rotation (422).
 */
async function rotate(
  { store, history }: Client,
  name: string,
  endpoint: Endpoint,
  overlapHours: number,
): Promise<void> {
  await history.sendUntilKnown(name, contract.rotateSecret(store.id, endpoint.id, overlapHours), (exchange) => {
    // If there is no response, there may be a new secret that nobody knows, and the older ones may end.
    if (exchange.isRejected) return
    const secret = exchange.status === 200 ? String(exchange.json['secret']) : undefined
    endpoint.secrets.push({ secret, since: exchange.start, overlapHours })
  })
}

/** Creates an endpoint, and deletes it or rotates its secret a little later. */
export async function useTemporaryEndpoint(client: Client, name: string, random: Random): Promise<void> {
  const { store, world, history } = client
  const url = `${contract.HOOKS}/${store.id}/${name.replaceAll(/\W/g, '-')}`
  const endpoint = await createEndpoint(client, `${name} make`, url)
  if (!endpoint) return
  await world.sleep(random.between(0, 10_000))
  if (random.chance(0.5)) return rotate(client, `${name} rotate`, endpoint, 168)
  store.endpoints.splice(store.endpoints.indexOf(endpoint), 1)
  store.formerEndpoints.push(endpoint)
  const exchange = await history.sendUntilKnown(`${name} delete`, contract.deleteEndpoint(store.id, endpoint.id))
  if (exchange.end !== Infinity) endpoint.deletedAt = exchange.end
}

/** Redelivers one of the first events of the store to any endpoint. */
export async function redeliver(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const endpoint = random.pick(store.endpoints)
  const event = String(1 + random.below(30))
  endpoint.redelivered.add(event)
  expect(client, endpoint, await history.send(name, contract.redeliver(store.id, endpoint.id, event)), 200, 404, 429)
}

export async function testEndpoint(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const endpoint = random.pick(store.endpoints)
  expect(client, endpoint, await history.send(name, contract.testEndpoint(store.id, endpoint.id)), 200, 429)
}
