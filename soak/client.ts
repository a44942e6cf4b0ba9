import { isObject } from '../src/json.ts'
import type { Memory, SentUser, Target } from './memory.ts'
import { type Persist, persistent, type Response } from './persist.ts'

export interface Client {
  memory: Memory
  persist: Persist
  /** The path of the users of the store. */
  users: string
  accesses: string
  create: (user: SentUser, key?: string) => Promise<Response>
  expectUser: (user: SentUser, text: string) => void
  /** Adds a problem to the memory; the soak fails if there is any at the end. */
  report: (what: string, whose: string, status: number, text: string) => void
}

export function openClient(target: Target, memory: Memory): Client {
  const persist = persistent(target, memory)
  const users = `/v1/stores/${target.store}/users`
  const accesses = `/v1/stores/${target.store}/product_accesses`

  function create(user: SentUser, key?: string): Promise<Response> {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-idempotency-key': key }
    return persist({ method: 'POST', path: users, body: JSON.stringify(user), headers })
  }

  function expectUser(user: SentUser, text: string): void {
    const record: unknown = JSON.parse(text)
    const isSame = isObject(record) && Object.entries(user).every(([field, value]) => isEqual(record[field], value))
    if (!isSame) report('response differs from what was sent for', user.email, 201, text)
  }

  function report(what: string, whose: string, status: number, text: string): void {
    memory.problems.push(`${what} ${whose}: ${status} ${text}`)
  }

  return { memory, persist, users, accesses, create, expectUser, report }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
