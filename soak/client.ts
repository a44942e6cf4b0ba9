/** What a client of the soak is made of. */
import { isObject } from '../src/json.ts'
import type { Memory, SentUser, Target } from './memory.ts'
import { type Answer, type Persist, persistent } from './persist.ts'

export interface Client {
  memory: Memory
  persist: Persist
  /** Paths. */
  users: string
  accesses: string
  create: (user: SentUser, key?: string) => Promise<Answer>
  expectUser: (user: SentUser, text: string) => void
  wrong: (what: string, whose: string, status: number, text: string) => void
}

export function openClient(target: Target, memory: Memory): Client {
  const persist = persistent(target, memory)
  const users = `/v1/stores/${target.store}/users`
  const accesses = `/v1/stores/${target.store}/product_accesses`

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

  return { memory, persist, users, accesses, create, expectUser, wrong }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
