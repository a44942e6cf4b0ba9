/** Steps of clients that create many users or accesses at once. */
import { newFields } from './accesses.ts'
import { newUser, sharedEmail } from './creates.ts'
import type { Client } from './client.ts'
import * as contract from '../contract.ts'
import { noteCreated } from './known.ts'
import type { Random } from '../world/random.ts'

const ON_EXISTING = ['fail', 'skip', 'update'] as const

/**
 * Creates users of whom some have a new email, one has an email that others want at the same time, and one email is
 * repeated. Sometimes one of them has a nested access.
 */
export async function createUsers(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const isDryRun = random.chance(0.1)
  const fresh = name.replaceAll(/\W/g, '-')
  const locals = [`${fresh}-0`, sharedEmail(random), `${fresh}-1`, `${fresh}-0`]
  const items: contract.NewUser[] = locals.map((local, i) => newUser(store, local, `${name}.${i}`))
  const [first] = items
  if (first && random.chance(0.5)) first.product_accesses = [{ product_id: random.pick(store.products) }]
  const request = contract.createUsers(store.id, random.pick(store.tokens).secret, items, onExisting, isDryRun)
  noteCreated(store, await history.sendUntilKnown(name, request))
}

export async function grantAccesses(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const users = [random.pick([...store.users]), random.pick([...store.users])]
  const pairs = users.map((user_id) => ({ user_id, product_id: random.pick(store.products) }))
  const items: contract.Grant[] = pairs.map((pair) => Object.assign(pair, newFields(client, random)))
  const request = contract.grantAccesses(store.id, random.pick(store.tokens).secret, items, onExisting)
  noteCreated(store, await history.sendUntilKnown(name, request))
}
