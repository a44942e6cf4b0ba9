/** Users that clients create, with a key and without, several at once, and one who is erased again. */
import type { Client } from './client.ts'
import { newUser } from './memory.ts'

export async function createWithoutKey({ memory, create, expectUser, wrong }: Client): Promise<void> {
  const user = newUser()
  const { status, text, wasUnsure } = await create(user)
  if (status === 201) expectUser(user, text)
  // An own try that was cut may have created it: nobody else sends this e-mail.
  else if (!(wasUnsure && isTaken(status, text))) wrong('create', user.email, status, text)
  memory.created.set(user.email, user)
}

/** Several clients with one key and one body: all get one answer. */
export async function createWithKey({ memory, create, expectUser, wrong }: Client, clients: number): Promise<void> {
  const user = newUser()
  const key = `key-${user.external_id}`
  const answers = await Promise.all(Array.from({ length: clients }, () => create(user, key)))
  const [first] = answers
  for (const { status, text } of answers) {
    if (status !== 201) wrong('create with key', key, status, text)
    else if (text !== first?.text) wrong('a second answer for', key, status, `${text} after ${first?.text}`)
  }
  if (first?.status === 201) expectUser(user, first.text)
  memory.created.set(user.email, user)
  memory.keys.set(key, { body: JSON.stringify(user), answer: first?.text ?? '' })
}

/** Several clients with one e-mail and no key: one at most is told that it created the user. */
export async function createSameEmail({ memory, create, wrong }: Client, clients: number): Promise<void> {
  const user = newUser()
  const answers = await Promise.all(Array.from({ length: clients }, () => create(user)))
  const successes = answers.filter(({ status }) => status === 201)
  if (successes.length > 1) wrong('created twice', user.email, 201, successes.map(({ text }) => text).join(' '))
  for (const { status, text } of answers) {
    if (status !== 201 && !isTaken(status, text)) wrong('create', user.email, status, text)
  }
  memory.created.set(user.email, user)
}

/** Users with an access each, at once; what a lost try has made is skipped. */
export async function createBatch({ memory, persist, users, wrong }: Client): Promise<void> {
  const { product_id } = memory
  const people = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => newUser())
  const items = people.map((user) => ({ ...user, product_accesses: [{ product_id }] }))
  const body = JSON.stringify({ items, on_existing: 'skip' })
  const { status, text, wasUnsure } = await persist({ method: 'POST', path: `${users}/batch`, body })
  const results: { status: number; id?: string }[] = status === 200 ? JSON.parse(text).results : []
  const isMade = results.every((item) => item.id && (item.status === 201 || (wasUnsure && item.status === 200)))
  if (results.length !== people.length || !isMade) wrong('batch', people[0]?.email ?? '', status, text)
  for (const user of people) memory.created.set(user.email, user)
  memory.tally.batched += people.length
}

/** A person who comes, takes part, and goes: neither the key nor the id brings them back, and the e-mail is free. */
export async function createAndErase(client: Client): Promise<void> {
  const { memory, persist, users, create, wrong } = client
  const user = newUser()
  const key = `key-${user.external_id}`
  const created = await create(user, key)
  if (created.status !== 201) return wrong('create to erase', key, created.status, created.text)
  const id = String(JSON.parse(created.text).id)
  if (Math.random() < 0.5) await grant(client, id)
  const path = `${users}/${id}`
  const { status, text, wasUnsure } = await persist({ method: 'DELETE', path })
  if (status !== 204 && !(status === 404 && wasUnsure)) return wrong('erase', id, status, text)
  memory.erased.set(id, { user, key })
  const again = await create(user, key)
  if (again.status !== 404) wrong('key of an erased user', key, again.status, again.text)
  const found = await persist({ method: 'GET', path })
  if (found.status !== 404) wrong('erased user', id, found.status, found.text)
  if (Math.random() < 0.5) return
  const next = newUser(user.email)
  const successor = await create(next, `key-${next.external_id}`)
  if (successor.status !== 201) return wrong('create after an erasure', next.email, successor.status, successor.text)
  if (Number(JSON.parse(successor.text).id) <= Number(id)) wrong('id used again', id, 201, successor.text)
  memory.created.set(next.email, next)
}

async function grant({ memory, persist, accesses, wrong }: Client, user_id: string): Promise<void> {
  const { product_id } = memory
  const headers = { 'x-idempotency-key': `grant-${user_id}` }
  const body = JSON.stringify({ user_id, product_id })
  const { status, text } = await persist({ method: 'POST', path: accesses, body, headers })
  if (status !== 201) wrong('grant', user_id, status, text)
}

function isTaken(status: number, text: string): boolean {
  return status === 422 && text.includes('"email_taken"')
}
