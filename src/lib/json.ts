/**
 * Writes a parsed value as JSON. It can stop at a length, redact the values of a key, and sort keys so that equal values
 * have equal text. It has a stack of its own, because a body of 64 KB can be nested 32,000 levels deep.
 */
interface JsonTextOptions {
  /** Stops once the text has this many UTF-16 code units. */
  limit?: number
  sortKeys?: boolean
  /** A key whose values are written as `"[redacted]"`. */
  redact?: string
  /** The value is one that `parseDigits` has returned, and is written as it was sent. */
  isDigits?: boolean
}

export function jsonText(
  value: unknown,
  { limit = Infinity, sortKeys = false, redact, isDigits = false }: JsonTextOptions = {},
): string {
  let text = ''
  /** What is still to be written, in reverse order: text, or a value. */
  const stack: ({ text: string } | { value: unknown })[] = [{ value }]
  for (let next = stack.pop(); next !== undefined && text.length < limit; next = stack.pop()) {
    if ('text' in next) text += next.text
    else if (Array.isArray(next.value)) {
      stack.push({ text: ']' })
      // Each item is at least one character, so the text stops before those beyond.
      for (let i = Math.min(next.value.length, limit) - 1; i >= 0; i--) {
        stack.push({ value: next.value[i] })
        if (i > 0) stack.push({ text: ',' })
      }
      text += '['
    } else if (JSON.isRawJSON(next.value)) text += next.value.rawJSON
    else if (typeof next.value === 'object' && next.value !== null) {
      const entries = Object.entries(next.value)
      if (sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1))
      stack.push({ text: '}' })
      for (const [i, [key, item]] of [...entries.slice(0, limit).entries()].toReversed()) {
        const name = isDigits ? key.slice(1) : key
        const written = name === redact ? { text: '"[redacted]"' } : { value: item }
        stack.push(written, { text: `${i > 0 ? ',' : ''}${JSON.stringify(name)}:` })
      }
      text += '{'
    } else if (typeof next.value === 'number' && !Number.isFinite(next.value))
      text += next.value > 0 ? '1e999' : '-1e999'
    else if (isDigits && typeof next.value === 'string') text += digitsText(next.value)
    else text += JSON.stringify(next.value)
  }
  return text
}

function digitsText(digits: string): string {
  return digits.startsWith('s') ? JSON.stringify(digits.slice(1)) : digits
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path of keys; undefined if there is none. */
export function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((found, key) => Object.getOwnPropertyDescriptor(Object(found), key)?.value, value)
}

/**
 * JSON.parse that keeps the digits of each number, which JSON.stringify then writes again. It recurses, so use it for flat
 * values: a deeply nested one throws a RangeError.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value))
}

/** The strings and the numbers in a valid JSON text. */
export const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/**
 * JSON.parse for comparing requests. Every number becomes the text of its digits, and every string, keys included, begins
 * with `s`, so that a number never equals a string. The text must be valid JSON, nested to any depth.
 */
export function parseDigits(text: string): unknown {
  return JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? `"s${token.slice(1)}` : `"${token}"`)),
  )
}

/** The value at a path of keys in what `parseDigits` has returned; undefined if there is none. */
export function digitsAt(digits: unknown, path: string[]): unknown {
  return path.reduce((found, key) => valueAt(found, [Array.isArray(found) ? key : `s${key}`]), digits)
}

/** What `parseDigits` returned, as a value that JSON.stringify writes as it was sent: a scalar, or an object of scalars. */
export function toLossless(digits: unknown): unknown {
  if (!isObject(digits)) return toLosslessScalar(digits)
  return Object.fromEntries(Object.entries(digits).map(([key, value]) => [key.slice(1), toLosslessScalar(value)]))
}

function toLosslessScalar(digits: unknown): unknown {
  if (typeof digits !== 'string') return digits
  return digits.startsWith('s') ? digits.slice(1) : JSON.rawJSON(digits)
}
