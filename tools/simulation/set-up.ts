/** Creates what exists before the clients begin: the stores of the integrators, and one in which tokens are revoked. */
import { grant } from './clients/accesses.ts'
import { newUser } from './clients/creates.ts'
import { createEndpoint } from './clients/endpoints.ts'
import type { Client, Quarantine, Store } from './clients/client.ts'
import { noteCreated } from './clients/known.ts'
import * as contract from './contract.ts'
import { describe, type History } from './clients/history.ts'

export function newStore(id: string, place: contract.Place): Store {
  return {
    id,
    place,
    tokens: [],
    products: [],
    endpoints: [],
    formerEndpoints: [],
    users: new Set(),
    permanentUser: { id: '', email: '' },
    accesses: [],
    markers: new Map(),
    keys: [],
  }
}

export async function createQuarantine(history: History, { id, place }: Quarantine): Promise<void> {
  await history.send('set up quarantine', contract.createStore(id, place))
}

/** Creates a store with tokens, products, endpoints, and a first user with an access. */
export async function setUp(client: Client): Promise<void> {
  const { store, history, name, world } = client
  const { id, place } = store
  const time_zone = world.random.stream(`${name} zone`).pick(contract.TIME_ZONES)
  await history.send(name, contract.createStore(id, { ...place, time_zone }))
  await createEndpoint(client, `${name} endpoint`, `${contract.HOOKS}/${id}`)
  const types = ['user.created', 'user.erased', 'product_access.expired']
  await createEndpoint(client, `${name} endpoint of some`, `${contract.HOOKS}/${id}/some`, types)
  await renew(client, store)
  for (let i = 0; i < 3; i++) {
    const { json } = await history.send(`${name} product ${i}`, contract.createProduct(id, `p${i}`))
    store.products.push(String(json['id']))
  }
  const permanentUser = { ...newUser(store, 'keeper', name), password: contract.passwordOf(0) }
  const exchange = await history.send(
    `${name} keeper`,
    contract.createUser(id, store.tokens[0]?.secret ?? '', permanentUser),
  )
  noteCreated(store, exchange)
  store.permanentUser = { id: String(exchange.json['id']), email: permanentUser.email }
  await grant(client, `${name} grant`, world.random.stream(`${name} grant`))
  if (store.accesses.length === 0) throw new Error(`the set-up failed: ${describe(exchange)}`)
}

/** Creates new tokens. No idempotency key has been used with them. */
export async function renew({ history, name }: Client, store: Store): Promise<void> {
  const created = [0, 1].map((i) => history.send(`${name} token ${i}`, contract.createToken(store.id)))
  store.tokens = (await Promise.all(created)).map(({ json }) => ({
    id: String(json['id']),
    secret: String(json['token']),
  }))
  store.keys = []
}
