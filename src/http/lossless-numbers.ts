/**
 * Numbers as they were sent. A double cannot represent every integer, nor the length of a number: `1.000…0` with a million
 * digits parses to 1, but is stored and returned with all its digits.
 */
import type { Context } from './hono.ts'
import { CUSTOM_FIELDS } from '../limits.ts'
import { isObject, parseDigits, toLossless, valueAt } from '../lib/json.ts'

/** A field of the body whose numbers keep the digits that were sent: a value, or an object of values. */
export async function losslessField(c: Context, field: string, parsed: unknown): Promise<unknown> {
  if (!hasNumber(parsed)) return parsed
  return toLossless(valueAt(parseDigits(await c.req.text()), [`s${field}`]))
}

/** The grade in a body as it is stored: JSON with the digits that were sent. */
export async function losslessGrade(
  c: Context,
  grade: string | number | boolean | null | undefined,
): Promise<string | null | undefined> {
  return grade == null ? grade : JSON.stringify(await losslessField(c, 'grade', grade))
}

/** The same field of each item of a batch. The body is parsed at most once for all items. */
export async function losslessFieldOfItems(
  c: Context,
  items: readonly Record<string, unknown>[],
  field: string,
): Promise<unknown[]> {
  const body = items.some((item) => hasNumber(item[field])) ? parseDigits(await c.req.text()) : undefined
  return items.map((item, index) =>
    hasNumber(item[field]) ? toLossless(valueAt(body, ['sitems', String(index), `s${field}`])) : item[field],
  )
}

function hasNumber(parsed: unknown): boolean {
  const values = isObject(parsed) ? Object.values(parsed) : [parsed]
  // The schema rejects an object with more keys, so nobody needs their digits.
  return values.length <= CUSTOM_FIELDS.keys && values.some((value) => typeof value === 'number')
}
