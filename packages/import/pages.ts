import { isObject } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import { Refused } from './request-errors.ts'

const PAGE = 100

/** Reads a whole list. Undefined if the token may not read it. Throws Refused for every other response that is an error. */
export async function listPages<T>(
  { call }: Pick<Client, 'call'>,
  path: string,
  toItems: (record: unknown) => T[],
): Promise<T[] | undefined> {
  const items: T[] = []
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`
  try {
    for (let after = ''; ;) {
      const { body } = await call('GET', start + (after && `&after=${encodeURIComponent(after)}`))
      const { data, next } = isObject(body) ? body : {}
      items.push(...(Array.isArray(data) ? data.flatMap(toItems) : []))
      if (typeof next !== 'string') return items
      after = next
    }
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return undefined
    throw error
  }
}
