import { isObject } from '../../src/lib/json.ts'

/** Returns the string in this field of an object, and undefined if there is none. */
export function textIn(value: unknown, field: string): string | undefined {
  const text = isObject(value) ? value[field] : undefined
  return typeof text === 'string' ? text : undefined
}
