/** Clients create users with and without a key, concurrently and in batches, and erase some of them. */
import type { Client } from './client.ts'
import { newUser } from './memory.ts'

export async function createWithoutKey({ memory, create, expectUser, report }: Client): Promise<void> {
  const user = newUser()
  const { status, text, wasUncertain } = await create(user)
  if (status === 201) expectUser(user, text)
  // An earlier attempt whose connection was lost may have created the user: no other client sends this email.
  else if (!(wasUncertain && isTaken(status, text))) report('create', user.email, status, text)
  memory.created.set(user.email, user)
}

/** Several clients send the same key and body, and all must get the same response. */
export async function createWithKey({ memory, create, expectUser, report }: Client, clients: number): Promise<void> {
  const user = newUser()
  const key = `key-${user.external_id}`
  const responses = await Promise.all(Array.from({ length: clients }, () => create(user, key)))
  const [first] = responses
  for (const { status, text } of responses) {
    if (status !== 201) report('create with key', key, status, text)
    else if (text !== first?.text) report('different response for', key, status, `${text} after ${first?.text}`)
  }
  if (first?.status === 201) expectUser(user, first.text)
  memory.created.set(user.email, user)
  memory.keys.set(key, { body: JSON.stringify(user), response: first?.text ?? '' })
}

/** Several clients send the same email without a key, and at most one may get a 201. */
export async function createSameEmail({ memory, create, report }: Client, clients: number): Promise<void> {
  const user = newUser()
  const responses = await Promise.all(Array.from({ length: clients }, () => create(user)))
  const successes = responses.filter(({ status }) => status === 201)
  if (successes.length > 1) report('created twice', user.email, 201, successes.map(({ text }) => text).join(' '))
  for (const { status, text } of responses) {
    if (status !== 201 && !isTaken(status, text)) report('create', user.email, status, text)
  }
  memory.created.set(user.email, user)
}

/** Creates users with an access each in one batch; users that an earlier, lost attempt created are skipped. */
export async function createBatch({ memory, persist, users, report }: Client): Promise<void> {
  const { product_id } = memory
  const people = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => newUser())
  const items = people.map((user) => ({ ...user, product_accesses: [{ product_id }] }))
  const body = JSON.stringify({ items, on_existing: 'skip' })
  const { status, text, wasUncertain } = await persist({ method: 'POST', path: `${users}/batch`, body })
  const results: { status: number; id?: string }[] = status === 200 ? JSON.parse(text).results : []
  const isComplete = results.every((item) => item.id && (item.status === 201 || (wasUncertain && item.status === 200)))
  if (results.length !== people.length || !isComplete) report('batch', people[0]?.email ?? '', status, text)
  for (const user of people) memory.created.set(user.email, user)
  memory.tally.batched += people.length
}

/** Creates and erases a user: neither the key nor the id may return the user, and the email must be free again. */
export async function createAndErase(client: Client): Promise<void> {
  const { memory, persist, users, create, report } = client
  const user = newUser()
  const key = `key-${user.external_id}`
  const created = await create(user, key)
  if (created.status !== 201) return report('create to erase', key, created.status, created.text)
  const id = String(JSON.parse(created.text).id)
  if (Math.random() < 0.5) await grant(client, id)
  const path = `${users}/${id}`
  const { status, text, wasUncertain } = await persist({ method: 'DELETE', path })
  if (status !== 204 && !(status === 404 && wasUncertain)) return report('erase', id, status, text)
  memory.erased.set(id, { user, key })
  const again = await create(user, key)
  if (again.status !== 404) report('key of an erased user', key, again.status, again.text)
  const found = await persist({ method: 'GET', path })
  if (found.status !== 404) report('erased user', id, found.status, found.text)
  if (Math.random() < 0.5) return
  const next = newUser(user.email)
  const successor = await create(next, `key-${next.external_id}`)
  if (successor.status !== 201) return report('create after an erasure', next.email, successor.status, successor.text)
  if (Number(JSON.parse(successor.text).id) <= Number(id)) report('id used again', id, 201, successor.text)
  memory.created.set(next.email, next)
}

async function grant({ memory, persist, accesses, report }: Client, user_id: string): Promise<void> {
  const { product_id } = memory
  const headers = { 'x-idempotency-key': `grant-${user_id}` }
  const body = JSON.stringify({ user_id, product_id })
  const { status, text } = await persist({ method: 'POST', path: accesses, body, headers })
  if (status !== 201) report('grant', user_id, status, text)
}

function isTaken(status: number, text: string): boolean {
  return status === 422 && text.includes('"email_taken"')
}
