/** A change as the browser keeps it. */
import { isObject, parseLossless } from '../../../../src/lib/json.ts'
import type { Change } from './engine.ts'

/**
 * The user as it was is JSON: numbers have all their digits, and what has them cannot be cloned. In the record of an older
 * console it is the user itself.
 */
export type KeptChange = Omit<Change, 'before'> & { before: string | Change['before'] }

export function keptChange({ before, ...change }: Change): KeptChange {
  return { ...change, before: JSON.stringify(before) }
}

export function changeOf({ before, ...change }: KeptChange): Change {
  const user = typeof before === 'string' ? parseLossless(before) : before
  return { ...change, before: isObject(user) ? user : {} }
}
