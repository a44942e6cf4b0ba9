/** Text that an earlier program has broken: UTF-8 that was read as Windows-1252 (`JosÃ©`), a lost letter, or HTML. */
import { isObject } from '../../src/lib/json.ts'

/** The characters of Windows-1252 whose bytes continue a letter of UTF-8. */
const CONTINUED = '\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const LETTERS = new RegExp(`\ufffd|[ÃÂ][${CONTINUED}]|â€`)
const HTML = /&(?:#\d{2,5}|#x[\da-f]{2,4}|amp|quot|apos|lt|gt|nbsp|[a-z](?:acute|grave|circ|tilde|uml|cedil));/i

export function isBroken(text: string): boolean {
  return LETTERS.test(text) || (text.includes('&') && HTML.test(text))
}

/** Returns the first broken text of an item. */
export function brokenIn(item: Record<string, unknown>): string | undefined {
  for (const [field, value] of Object.entries(item)) {
    if (typeof value === 'string' && field !== 'password' && isBroken(value)) return value
    const own = field === 'custom_fields' && isObject(value) ? brokenIn(value) : undefined
    if (own !== undefined) return own
  }
  return undefined
}
