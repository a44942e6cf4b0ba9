/**
 * If a batch is sent again, the service returns `email_taken` for users that its first attempt created. Without this
 * check they would be reported as failed. A user counts as created by the first attempt if it is newer than everything
 * known before the batch (its id is higher, and so is its time) and has every value of the row. If another client
 * created the same user at the same time, the row is done as well.
 */
import { isObject } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import type { Kind } from './export.ts'
import { Refused } from './request-errors.ts'
import { textIn } from './text-in.ts'

export interface Candidate {
  id: string
  item: unknown
  /** As in `State` (state.ts), before the batch. */
  lastId: number
  since: number
}

/** Returns the highest id of a user of the store, and 0 if it has none. Whoever has a higher one was created later. */
export async function newestUserId(client: Client): Promise<number> {
  return Number((await newestId(client, 'users')) ?? 0)
}

/** Undefined if there is none. */
export async function newestId(client: Client, kind: Kind): Promise<string | undefined> {
  const { body } = await client.call('GET', `/${kind}?order=desc&limit=1`)
  const [record] = isObject(body) && Array.isArray(body['data']) ? body['data'] : []
  return textIn(record, 'id')
}

export async function wasCreatedByRun(client: Client, { id, item, lastId, since }: Candidate): Promise<boolean> {
  if (Number(id) <= lastId || !isObject(item)) return false
  const user = await readUser(client, id)
  return user !== undefined && Date.parse(textIn(user, 'created_at') ?? '') >= since && hasEveryValue(user, item)
}

async function readUser({ call }: Client, id: string): Promise<Record<string, unknown> | undefined> {
  try {
    const { body } = await call('GET', `/users/${id}`)
    return isObject(body) ? body : undefined
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Passwords cannot be read, and accesses are created together with their user, so neither is compared. */
function hasEveryValue(user: Record<string, unknown>, item: Record<string, unknown>): boolean {
  return Object.entries(item).every(([name, value]) => {
    if (value == null || name === 'password' || name === 'product_accesses') return true
    if (name === 'country') return typeof value === 'string' && user[name] === value.toUpperCase()
    if (name !== 'custom_fields') return user[name] === value
    const stored = isObject(user[name]) ? user[name] : {}
    return !isObject(value) || Object.entries(value).every(([key, own]) => (stored[key] ?? null) === own)
  })
}
