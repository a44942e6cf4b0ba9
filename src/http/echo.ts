/** What an error shows of a value that was sent. */
import { digitsAt, jsonText, valueAt } from '../lib/json.ts'
import { LENGTH } from '../limits.ts'

/** A body, or a part of it such as an item of a batch. */
export interface SentValues {
  parsed: unknown
  /** The same as `parseDigits` returns it. It is called only for a value that may contain a number. */
  digits: () => unknown
}

/** The value at a path, as `echo` shows it, with its numbers as they were sent. */
export function echoAt({ parsed, digits }: SentValues, path: string[]): string {
  const value = valueAt(parsed, path)
  const mayHaveNumber = typeof value === 'number' || (typeof value === 'object' && value !== null)
  if (!mayHaveNumber || isRedacted(path)) return echo(path, value)
  return truncated(jsonText(digitsAt(digits(), path), { ...TEXT_OPTIONS, isDigits: true }))
}

/**
 * A value: a string as sent, anything else as compact JSON, truncated. A password and the items of a batch are redacted. A
 * value that is absent is the empty string.
 */
export function echo(path: string[], value: unknown): string {
  if (value === undefined) return ''
  if (isRedacted(path)) return '[redacted]'
  return truncated(typeof value === 'string' ? value : jsonText(value, TEXT_OPTIONS))
}

const TEXT_OPTIONS = { limit: 2 * LENGTH.echoedValue, redact: 'password' }

function isRedacted(path: string[]): boolean {
  return path.at(-1) === 'password' || path[0] === 'items'
}

function truncated(text: string): string {
  return text.length <= LENGTH.echoedValue ? text : Array.from(text).slice(0, LENGTH.echoedValue).join('')
}
