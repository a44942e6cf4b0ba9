import * as z from 'zod/mini'
import { isObject } from '../lib/json.ts'
import { lazy } from '../lib/lazy.ts'
import { CUSTOM_FIELDS, LENGTH } from '../limits.ts'
import { characterProblem, textProblem } from './values.ts'
import { withCommas } from '../lib/commas.ts'

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
