/** Compares a response with what the model expects. */
import { isDeepStrictEqual } from 'node:util'

/**
 * Returns the first difference. A field of the response that is not expected is accepted, because responses may get new
 * fields; one that is expected as undefined must be missing. Custom fields are compared completely.
 */
export function findDifference(actual: unknown, expected: unknown, path = ''): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} is ${show(actual)}, not a list`
    if (actual.length !== expected.length) return `${path} has ${actual.length} items, not ${expected.length}`
    return firstOf(expected.keys(), (i) => findDifference(actual[i], expected[i], `${path}.${i}`))
  }
  if (typeof expected !== 'object' || expected === null || path.endsWith('custom_fields')) {
    return isDeepStrictEqual(actual, expected) ? undefined : `${path} is ${show(actual)}, not ${show(expected)}`
  }
  if (typeof actual !== 'object' || actual === null) return `${path} is ${show(actual)}, not ${show(expected)}`
  const values = new Map(Object.entries(actual))
  return firstOf(Object.entries(expected), ([key, value]) => findDifference(values.get(key), value, `${path}.${key}`))
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value)
}
