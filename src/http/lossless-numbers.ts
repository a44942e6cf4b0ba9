/**
 * Numbers as they were sent. A double cannot represent every integer, nor the length of a number: `1.000…0` with a million
 * digits parses to 1, but is stored and returned with all its digits.
 */
import type { Context } from './hono.ts'
import { CUSTOM_FIELDS, LENGTH } from '../limits.ts'
import { isObject, parseDigits, toLossless, valueAt } from '../lib/json.ts'
import type { Detail } from './errors/api-error.ts'
import { CUSTOM_FIELDS_TOO_LARGE, NUMBER_TOO_LONG } from '../formats/custom-field-values.ts'
import { echo } from './echo.ts'

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

// Limits that a schema cannot check, because it gets numbers without the digits that were sent.

type Body = Record<string, unknown>

export async function gradeProblems(c: Context, { grade }: Body): Promise<Detail[]> {
  return numberProblems(['grade'], await losslessField(c, 'grade', grade))
}

export async function customFieldProblems(c: Context, { custom_fields }: Body): Promise<Detail[]> {
  return losslessProblems(await losslessField(c, 'custom_fields', custom_fields))
}

/** What is wrong with the custom fields of an update. A null is not stored: it removes the key. */
export async function changedCustomFieldProblems(c: Context, { custom_fields }: Body): Promise<Detail[]> {
  const fields = await losslessField(c, 'custom_fields', custom_fields)
  if (!isObject(fields)) return []
  return losslessProblems(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)))
}

/** What is wrong with custom fields whose numbers have the digits that were sent. */
export function losslessProblems(fields: unknown): Detail[] {
  if (!isObject(fields)) return []
  const entries = Object.entries(fields)
  // The schema reports that there are too many keys.
  if (entries.length > CUSTOM_FIELDS.keys) return []
  const numbers = entries.flatMap(([key, value]) => numberProblems(['custom_fields', key], value))
  return numbers.length > 0 ? numbers : sizeProblems(fields)
}

function numberProblems(path: string[], value: unknown): Detail[] {
  if (!JSON.isRawJSON(value) || value.rawJSON.length <= LENGTH.number) return []
  return [{ field: path.join('.'), value: echo(path, value.rawJSON), explanation: NUMBER_TOO_LONG }]
}

function sizeProblems(fields: Record<string, unknown>): Detail[] {
  // The schema rejects lists and objects, and JSON.stringify would fail if they are nested too deeply.
  const values = Object.entries(fields).filter(([, value]) => isScalar(value))
  const text = JSON.stringify(Object.fromEntries(values))
  if (new TextEncoder().encode(text).length <= CUSTOM_FIELDS.bytes) return []
  return [{ field: 'custom_fields', value: echo(['custom_fields'], fields), explanation: CUSTOM_FIELDS_TOO_LARGE }]
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || JSON.isRawJSON(value)
}
