/**
 * Clients as they should be: they repeat what was cut or answered 5xx, and remember what they were told. What they are
 * told is judged at once where one answer suffices (`wrong`), else at the end.
 */
import { isObject } from '../src/json.ts'
import { ADMIN_TOKEN } from '../bench/host.ts'
import { type AccessState, type Memory, newState, newUser, type SentUser, type Target } from './memory.ts'
import { type Answer, pause, persistent } from './persist.ts'

/** One client: until told to stop, then to the end of what it is doing. */
export async function runClient(
  target: Target,
  memory: Memory,
  accessId: string,
  isOver: () => boolean,
): Promise<void> {
  const persist = persistent(target, memory)
  const users = `/v1/stores/${target.store}/users`
  const accesses = `/v1/stores/${target.store}/product_accesses`
  /** How often each is done, of all that a client does. */
  const habits: [share: number, act: () => Promise<void>][] = [
    [0.15, createWithoutKey],
    [0.2, () => createWithKey(1)],
    [0.1, () => createWithKey(4)],
    [0.05, () => createSameEmail(4)],
    [0.2, update],
    [0.1, countOn],
    [0.1, createAndErase],
    [0.1, createBatch],
  ]
  while (!isOver()) {
    let dice = Math.random()
    const [, act] = habits.find(([share]) => (dice -= share) < 0) ?? habits[0] ?? []
    await act?.()
    await pause(Math.random() * 400)
  }

  async function createWithoutKey(): Promise<void> {
    const user = newUser()
    const { status, text, wasUnsure } = await create(user)
    if (status === 201) expectUser(user, text)
    // An own try that was cut may have created it: nobody else sends this e-mail.
    else if (!(wasUnsure && isTaken(status, text))) wrong('create', user.email, status, text)
    memory.created.set(user.email, user)
  }

  /** Several clients with one key and one body: all get one answer. */
  async function createWithKey(clients: number): Promise<void> {
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
  async function createSameEmail(clients: number): Promise<void> {
    const user = newUser()
    const answers = await Promise.all(Array.from({ length: clients }, () => create(user)))
    const successes = answers.filter(({ status }) => status === 201)
    if (successes.length > 1) wrong('created twice', user.email, 201, successes.map(({ text }) => text).join(' '))
    for (const { status, text } of answers) {
      if (status !== 201 && !isTaken(status, text)) wrong('create', user.email, status, text)
    }
    memory.created.set(user.email, user)
  }

  async function update(): Promise<void> {
    const { acknowledged, sharedAccess } = memory
    const id = Math.random() < 0.2 ? sharedAccess : accessId
    const before = acknowledged.get(id)?.at(-1)
    // Now and then what it is already, which changes nothing.
    const state = id === accessId && before && Math.random() < 0.1 ? before : newState()
    memory.accesses.get(id)?.push(state)
    const { status, text } = await persist({ method: 'PUT', path: `${accesses}/${id}`, body: JSON.stringify(state) })
    const answered: unknown = status === 201 ? JSON.parse(text) : undefined
    if (!isObject(answered) || !isState(answered, state)) wrong('update', id, status, text)
    if (memory.accesses.has(id)) memory.accesses.set(id, [state])
    acknowledged.get(id)?.push(state)
    memory.tally.updated++
  }

  /** One step further from what is there, under If-Match: whoever is outrun begins again. */
  async function countOn(): Promise<void> {
    const { counter } = memory
    const path = `${users}/${counter.user_id}`
    for (;;) {
      const { text, etag } = await persist({ method: 'GET', path })
      const count = Number(JSON.parse(text).custom_fields?.field1 ?? 0)
      const body = JSON.stringify({ custom_fields: { field1: count + 1 } })
      const { status, wasUnsure, ...answer } = await persist({
        method: 'PATCH',
        path,
        body,
        headers: { 'if-match': etag },
      })
      if (status === 200) {
        counter.acknowledged++
        return
      }
      if (status !== 412) return wrong('count', path, status, answer.text)
      // What outran this client may have been its own try.
      if (wasUnsure) counter.unsure++
      memory.tally.outrun++
    }
  }

  /** A person who comes, takes part, and goes: neither the key nor the id brings them back, and the e-mail is free. */
  async function createAndErase(): Promise<void> {
    const user = newUser()
    const key = `key-${user.external_id}`
    const created = await create(user, key)
    if (created.status !== 201) return wrong('create to erase', key, created.status, created.text)
    const id = String(JSON.parse(created.text).id)
    if (Math.random() < 0.5) await grant(id)
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

  async function grant(user_id: string): Promise<void> {
    const { product_id } = memory
    const headers = { 'x-idempotency-key': `grant-${user_id}` }
    const body = JSON.stringify({ user_id, product_id })
    const { status, text } = await persist({ method: 'POST', path: accesses, body, headers })
    if (status !== 201) wrong('grant', user_id, status, text)
  }

  /** Users with an access each, at once; what a lost try has made is skipped. */
  async function createBatch(): Promise<void> {
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

  function create(user: SentUser, key?: string): Promise<Answer> {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-idempotency-key': key }
    return persist({ method: 'POST', path: users, body: JSON.stringify(user), headers })
  }

  function expectUser(user: SentUser, text: string): void {
    const answered: unknown = JSON.parse(text)
    const isSame = isObject(answered) && Object.entries(user).every(([field, value]) => isEqual(answered[field], value))
    if (!isSame) wrong('answer is not what was sent for', user.email, 201, text)
  }

  function wrong(what: string, whose: string, status: number, text: string): void {
    memory.wrong.push(`${what} ${whose}: ${status} ${text}`)
  }
}

/** The operator, who replaces the token's secret again and again; two of three times the old one stays good. */
export async function rotateToken(
  target: Target & { token_id: string },
  memory: Memory,
  isOver: () => boolean,
): Promise<void> {
  const persist = persistent(target, memory)
  const path = `/admin/stores/${target.store}/tokens/${target.token_id}/rotate`
  for (let n = 1; !isOver(); n++) {
    const body = JSON.stringify({ overlap_hours: n % 3 === 0 ? 0 : 1 })
    const { status, text } = await persist({ method: 'POST', path, body, token: ADMIN_TOKEN })
    // A rotation whose answer was lost has left one secret more than was thought: the next one ends them all.
    if (status === 200) target.token = JSON.parse(text).token
    else if (status !== 422) memory.wrong.push(`rotation: ${status} ${text}`)
    memory.tally.rotated++
    await pause(1000 + Math.random() * 2000)
  }
}

function isState(answered: Record<string, unknown>, { status, access_due_date }: AccessState): boolean {
  return answered['status'] === status && answered['access_due_date'] === access_due_date
}

function isTaken(status: number, text: string): boolean {
  return status === 422 && text.includes('"email_taken"')
}

export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
