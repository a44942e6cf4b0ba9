/**
 * Clients as they should be: they repeat what was cut or answered 5xx, with the same key and body, and remember what
 * they were told. What they are told is judged at once where one answer suffices (`wrong`), else by soak-verify.ts.
 */
import { Agent, request as send } from 'undici'
import { isObject } from '../src/json.ts'

export interface SentUser {
  name: string
  last_name: string
  email: string
  phone: string
  external_id: string
  custom_fields: { field1: string }
}

export interface AccessState {
  status: string
  access_due_date: string | null
}

export interface Memory {
  /** Users that a client was told exist. */
  created: Map<string, SentUser>
  /** Of each key the body and the first answer. */
  keys: Map<string, { body: string; answer: string }>
  /** Of each client's own access what it may be in: the last acknowledged state, then those attempted since. */
  accesses: Map<string, AccessState[]>
  /** Of each access all that was acknowledged, the state that it was granted in first. */
  acknowledged: Map<string, AccessState[]>
  /** The access that all clients update. */
  sharedAccess: string
  wrong: string[]
  tally: Record<'requests' | 'cut' | 'failed' | 'replayed' | 'updated', number>
}

export interface Target {
  origin: string
  store: string
  token: string
}

interface Answer {
  status: number
  text: string
  /** Whether an earlier try had an outcome that nobody knows. */
  wasUnsure: boolean
}

const agent = new Agent({ connections: 128, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })
const run = Date.now().toString(36)
let serial = 0

/** One client: until told to stop, then to the end of what it is doing. */
export async function runClient(
  target: Target,
  memory: Memory,
  accessId: string,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const dice = Math.random()
    if (dice < 0.25) await createWithoutKey()
    else if (dice < 0.55) await createWithKey(1)
    else if (dice < 0.7) await createWithKey(4)
    else if (dice < 0.75) await createSameEmail(4)
    else await update()
    await pause(Math.random() * 400)
  }

  async function createWithoutKey(): Promise<void> {
    const user = newUser()
    const { status, text, wasUnsure } = await create(user)
    if (status === 201) expectUser(user, text)
    // An own try that was cut may have created it: nobody else sends this e-mail.
    else if (!(status === 422 && wasUnsure && text.includes('"email_taken"'))) wrong('create', user.email, status, text)
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
      if (status !== 201 && !text.includes('"email_taken"')) wrong('create', user.email, status, text)
    }
    memory.created.set(user.email, user)
  }

  async function update(): Promise<void> {
    const { acknowledged, accesses, sharedAccess } = memory
    const id = Math.random() < 0.2 ? sharedAccess : accessId
    const before = acknowledged.get(id)?.at(-1)
    // Now and then what it is already, which changes nothing.
    const state = id === accessId && before && Math.random() < 0.1 ? before : newState()
    accesses.get(id)?.push(state)
    const path = `/v1/stores/${target.store}/product_accesses/${id}`
    const { status, text } = await persist('PUT', path, JSON.stringify(state))
    const answered: unknown = status === 201 ? JSON.parse(text) : undefined
    const isSame =
      isObject(answered) && answered['status'] === state.status && answered['access_due_date'] === state.access_due_date
    if (!isSame) wrong('update', id, status, text)
    if (accesses.has(id)) accesses.set(id, [state])
    acknowledged.get(id)?.push(state)
    memory.tally.updated++
  }

  function create(user: SentUser, key?: string): Promise<Answer> {
    const headers = key === undefined ? {} : { 'x-idempotency-key': key }
    return persist('POST', `/v1/stores/${target.store}/users`, JSON.stringify(user), headers)
  }

  function expectUser(user: SentUser, text: string): void {
    const answered: unknown = JSON.parse(text)
    const isSame = isObject(answered) && Object.entries(user).every(([field, value]) => isEqual(answered[field], value))
    if (!isSame) wrong('answer is not what was sent for', user.email, 201, text)
  }

  /** Until there is an answer below 500. */
  async function persist(method: 'POST' | 'PUT', path: string, body: string, more = {}): Promise<Answer> {
    let wasUnsure = false
    for (let attempt = 0; ; attempt++) {
      memory.tally.requests++
      try {
        const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json', ...more }
        const answer = await send(target.origin + path, { method, headers, body, dispatcher: agent })
        const text = await answer.body.text()
        if (answer.statusCode < 500) {
          if (answer.headers['idempotent-replayed'] === 'true') memory.tally.replayed++
          return { status: answer.statusCode, text, wasUnsure }
        }
        if (answer.statusCode !== 503) wrong(method, path, answer.statusCode, text)
        memory.tally.failed++
        wasUnsure = true
        await pause(Number(answer.headers['retry-after'] ?? 1) * 1000)
      } catch (error) {
        // A refused connection reached nobody; any other cut may have come after the commit.
        memory.tally.cut++
        wasUnsure ||= !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
        await pause(Math.random() * Math.min(50 * 2 ** attempt, 1000))
      }
    }
  }

  function wrong(what: string, whose: string, status: number, text: string): void {
    memory.wrong.push(`${what} ${whose}: ${status} ${text}`)
  }
}

function newState(): AccessState {
  return {
    status: Math.random() < 0.5 ? 'with_access' : 'without_access',
    access_due_date: Math.random() < 0.1 ? null : new Date(Date.UTC(2030, 0, 1) + serial++ * 1000).toISOString(),
  }
}

function newUser(): SentUser {
  const id = `${run}-${serial++}`
  return {
    name: `Zoë ${id}`,
    last_name: 'O’Neill 李',
    email: `Soak.${id}@example.com`,
    phone: '+1 202 555 0100',
    external_id: id,
    custom_fields: { field1: `"${id}"` },
  }
}

export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
