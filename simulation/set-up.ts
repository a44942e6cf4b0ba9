/** What there is before the clients begin: stores as integrators find them, and one where tokens are revoked. */
import { grant } from './client-accesses.ts'
import { learnCreate, newUser } from './client-creates.ts'
import { createEndpoint } from './client-endpoints.ts'
import type { Client, Store } from './client.ts'
import * as contract from './contract.ts'
import { describe, type History } from './history.ts'

export function newStore(id: string): Store {
  return {
    id,
    tokens: [],
    tokenPrefix: '',
    products: [],
    endpoints: [],
    formerEndpoints: [],
    users: new Set(),
    keeper: { id: '', email: '' },
    accesses: [],
    owners: new Map(),
    marks: new Map(),
    emails: new Map(),
    erasures: [],
    vainReplays: [],
    blindUpdates: [],
    blindGrants: [],
    keys: [],
  }
}

export async function makeQuarantine(history: History, id: string): Promise<void> {
  await history.ask('set up quarantine', contract.createStore(id))
}

/** A store as a client finds it: tokens, products, endpoints, and a first user with an access. */
export async function setUp(client: Client): Promise<void> {
  const { store, history, name, world } = client
  const { id } = store
  await history.ask(name, contract.createStore(id))
  await createEndpoint(client, `${name} endpoint`, `https://hooks.example.com/${id}`)
  const types = ['user.created', 'user.erased', 'product_access.expired']
  await createEndpoint(client, `${name} endpoint of some`, `https://hooks.example.com/${id}/some`, types)
  await renew(client, store)
  for (let i = 0; i < 3; i++) {
    const { json } = await history.ask(`${name} product ${i}`, contract.createProduct(id, `p${i}`))
    store.products.push(String(json['id']))
  }
  const keeper = { ...newUser(store, 'keeper', name), password: contract.passwordOf(0) }
  const told = await history.ask(`${name} keeper`, contract.createUser(id, store.tokens[0]?.secret ?? '', keeper))
  learnCreate(client, told, keeper)
  store.keeper = { id: String(told.json['id']), email: keeper.email }
  await grant(client, `${name} grant`, world.random.stream(`${name} grant`))
  if (store.accesses.length === 0) throw new Error(`set up failed: ${describe(told)}`)
}

/** New tokens, with which no key has been used. */
export async function renew({ history, name }: Client, store: Store): Promise<void> {
  const made = [0, 1].map((i) => history.ask(`${name} token ${i}`, contract.createToken(store.id)))
  store.tokens = (await Promise.all(made)).map(({ json }) => ({
    id: String(json['id']),
    secret: String(json['token']),
  }))
  store.tokenPrefix = /^rgs_\d+_/.exec(store.tokens[0]?.secret ?? '')?.[0] ?? ''
  store.keys = []
}
