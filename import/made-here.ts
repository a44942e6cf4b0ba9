/**
 * A batch that is sent again doubles nothing, but the service then says `email_taken` of users whom the first sending
 * made. A user counts as made by it if it is younger than everything known before the batch (by its id, which rises
 * within a store, and by the service's clock) and has every value of the row. Whoever else made the very same user in
 * that very time did what the row asks for.
 */
import { isObject } from '../src/json.ts'
import { type Client, Refused, textIn } from './client.ts'

export interface Question {
  id: string
  item: unknown
  /** The highest id that the service had named, and its clock, before the batch. */
  lastId: number
  since: number
}

export async function wasMadeHere(client: Client, { id, item, lastId, since }: Question): Promise<boolean> {
  if (Number(id) <= lastId || !isObject(item)) return false
  const answer = await client.call('GET', `/users/${id}`)
  if (answer.status === 404) return false
  if (answer.status !== 200 || !isObject(answer.body)) throw new Refused(answer)
  return Date.parse(textIn(answer.body, 'created_at') ?? '') >= since && hasEveryValue(answer.body, item)
}

/** A password cannot be read back, and accesses come with their user. */
function hasEveryValue(user: Record<string, unknown>, item: Record<string, unknown>): boolean {
  return Object.entries(item).every(([name, value]) => {
    if (value == null || name === 'password' || name === 'product_accesses') return true
    if (name === 'country') return typeof value === 'string' && user[name] === value.toUpperCase()
    if (name !== 'custom_fields') return user[name] === value
    const stored = isObject(user[name]) ? user[name] : {}
    return !isObject(value) || Object.entries(value).every(([key, own]) => (stored[key] ?? null) === own)
  })
}
