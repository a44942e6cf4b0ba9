import * as z from 'zod/mini'
import { isObject } from '../lib/json.ts'
import { lazy } from '../lib/lazy.ts'
import { CUSTOM_FIELDS, LENGTH, withCommas } from '../limits.ts'
import { CUSTOM_FIELD_KEY } from './patterns.ts'
import { characterProblem, KEY_PROBLEM, readAs, textProblem } from './values.ts'

export const NUMBER_TOO_LONG = `must be a number of at most ${LENGTH.number} characters`

export const CUSTOM_FIELDS_TOO_LARGE = `must be at most ${withCommas(CUSTOM_FIELDS.bytes)} bytes of JSON`

type CustomFieldValue = string | number | boolean | null

function customValueProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return textProblem(value, LENGTH.customFieldValue)
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return undefined
  return `must be a string, a finite number of at most ${LENGTH.number} characters, a boolean or null`
}

/** An object of custom fields. z.record would drop the key `__proto__`, which is an ordinary key here. */
export const customFieldValues = lazy(() =>
  z.custom<Record<string, CustomFieldValue>>(isObject, 'must be an object').check(
    (payload) => {
      if (!isObject(payload.value)) return
      const entries = Object.entries(payload.value)
      if (entries.length > CUSTOM_FIELDS.keys) {
        const message = `must have at most ${CUSTOM_FIELDS.keys} keys`
        payload.issues.push({ code: 'custom', message, input: payload.value, continue: true })
        return
      }
      for (const [key, value] of entries) {
        // D1 would store and return another key.
        const message = characterProblem(key) ?? customValueProblem(value)
        // Without `continue`, further checks of this schema would not run.
        if (message !== undefined)
          payload.issues.push({ code: 'custom', message, input: value, path: [key], continue: true })
      }
    },
    z.meta({
      type: 'object',
      maxProperties: CUSTOM_FIELDS.keys,
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
    }),
  ),
)

/** The key of a custom field and its value, as text. */
type FieldFilter = readonly [key: string, value: string]

/** The parameters `custom_fields.{key}` of a query, by key: one of them. */
export const customFieldFilter = lazy(() =>
  readAs(
    z.custom<Record<string, string>>(isObject, 'must be an object').check(
      ({ value: fields, issues }) => {
        for (const [i, [key, value]] of Object.entries(fields).entries()) {
          const message = i > 0 ? 'is a second custom field; filter by one' : filterProblem(key, value)
          if (message !== undefined) issues.push({ code: 'custom', message, input: value, path: [key], continue: true })
        }
      },
      z.meta({
        type: 'object',
        patternProperties: { [`^custom_fields\\.${CUSTOM_FIELD_KEY.source.slice(1)}`]: { type: 'string' } },
        additionalProperties: false,
        maxProperties: 1,
        example: { 'custom_fields.department': 'engines' },
      }),
    ),
    (fields): FieldFilter => Object.entries(fields)[0] ?? ['', ''],
  ),
)

function filterProblem(key: string, value: unknown): string | undefined {
  if (!CUSTOM_FIELD_KEY.test(key)) return `the key of a custom field ${KEY_PROBLEM}`
  return typeof value === 'string' ? textProblem(value, LENGTH.customFieldValue) : 'must be a string'
}
