/** Steps of clients that change users, their emails and passwords, erase users, and verify passwords. */
import { localOf, newUser, sharedEmail } from './creates.ts'
import type { Client, Store } from './client.ts'
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'

export async function changeUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = random.pick([...store.users])
  const token = random.pick(store.tokens).secret
  const set = { phone: random.pick([null, '+1 202 555 0101', '+1 202 555 0102']) }
  if (random.chance(0.5)) {
    await history.sendUntilKnown(name, contract.changeUser(store.id, token, id, set))
    return
  }
  const read = await readUser(client, name, id, token)
  if (read) await history.send(`${name} write`, contract.changeUser(store.id, token, id, set, read.etag))
}

/** Gives a user another email, unless somebody changes the user meanwhile. */
export async function changeEmail(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = pickErasableUser(store, random)
  if (id === undefined) return
  const token = random.pick(store.tokens).secret
  const read = await readUser(client, name, id, token)
  const { email } = newUser(store, random.chance(0.5) ? sharedEmail(random) : localOf(name), name)
  if (!read || email === read.email) return
  await history.send(`${name} write`, contract.changeUser(store.id, token, id, { email }, read.etag))
}

async function readUser({ store, history }: Client, name: string, id: string, token: string) {
  const { status, headers, json } = await history.send(`${name} read`, contract.readUser(store.id, token, id))
  const etag = headers.get('ETag')
  return status === 200 && etag !== null ? { etag, email: json['email'] } : undefined
}

export async function eraseUser({ store, history }: Client, name: string, random: Random): Promise<void> {
  const user = pickErasableUser(store, random)
  if (user === undefined) return
  const token = random.pick(store.tokens).secret
  await history.sendUntilKnown(name, contract.eraseUser(store.id, token, user))
}

/** Any user except the permanent one. */
function pickErasableUser(store: Store, random: Random): string | undefined {
  const others = [...store.users].filter((id) => id !== store.permanentUser.id)
  if (others.length === 0) return undefined
  // Often one of the newest, because a batch that creates it may still be under way.
  return random.pick(random.chance(0.5) ? others.slice(-3) : others)
}

export async function changePassword({ store, history }: Client, name: string, random: Random): Promise<void> {
  const { id } = store.permanentUser
  const set = { password: contract.passwordOf(random.below(3)) }
  const token = random.pick(store.tokens).secret
  await history.sendUntilKnown(name, contract.changeUser(store.id, token, id, set))
}

export async function verifyPassword({ store, history }: Client, name: string, random: Random): Promise<void> {
  const { email } = store.permanentUser
  const password = contract.passwordOf(random.below(3))
  await history.send(name, contract.verifyPassword(store.id, random.pick(store.tokens).secret, email, password))
}
