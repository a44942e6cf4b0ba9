/** Splits rows into batches within the limits of a request: 100 items, 10 passwords and 1 MiB. */
import { emailKey } from '../src/domain/users/emails.ts'
import { BATCH, MAX_BATCH_BYTES } from '../src/limits.ts'
import type { Columns, Reason } from './columns.ts'
import type { Row } from './read.ts'

/** The body needs this many bytes in addition to its items. */
const ENVELOPE_BYTES = 200

export interface PreparedRow {
  row: Row
  item: Record<string, unknown>
  /** The item as JSON. If it is missing, the row cannot be sent, and `reasons` say why. */
  text?: string
  /** The email in the form in which the service compares emails, if it is valid. */
  emailKey?: string
  reasons: Reason[]
}

export type OnExisting = 'fail' | 'skip' | 'update'

/**
 * The same rows always result in the same batches, so that a resumed import repeats exactly the batch that may have
 * been lost. With `skip` and `update`, two rows with the same email are never in one batch: the service would reject
 * the second one, so the result of a row would depend on where a batch ends.
 */
export async function* batchesOf(
  rows: AsyncIterable<Row>,
  columns: Columns,
  onExisting: OnExisting,
): AsyncGenerator<PreparedRow[]> {
  let batch: PreparedRow[] = []
  let bytes = ENVELOPE_BYTES
  let passwords = 0
  const emailKeys = new Set<string>()
  for await (const row of rows) {
    const prepared = prepare(row, columns)
    const size = prepared.text === undefined ? 0 : new TextEncoder().encode(prepared.text).length + 1
    const hasPassword = prepared.item['password'] != null
    const isRepeated = onExisting !== 'fail' && prepared.emailKey !== undefined && emailKeys.has(prepared.emailKey)
    const isFull =
      batch.length === BATCH.items ||
      (hasPassword && passwords === BATCH.passwords) ||
      bytes + size > MAX_BATCH_BYTES ||
      isRepeated
    if (isFull) {
      yield batch
      batch = []
      bytes = ENVELOPE_BYTES
      passwords = 0
      emailKeys.clear()
    }
    batch.push(prepared)
    bytes += size
    if (hasPassword) passwords++
    if (prepared.emailKey !== undefined) emailKeys.add(prepared.emailKey)
  }
  if (batch.length > 0) yield batch
}

function prepare(row: Row, columns: Columns): PreparedRow {
  const result = columns.toItem(row)
  if ('reasons' in result) return { row, item: {}, reasons: result.reasons }
  const { item } = result
  const text = JSON.stringify(item)
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 + ENVELOPE_BYTES > MAX_BATCH_BYTES)
    return {
      row,
      item: {},
      reasons: [{ column: '', code: 'too_long', explanation: 'the row is too long for a request' }],
    }
  const key = typeof item['email'] === 'string' ? emailKey(item['email']) : undefined
  return { row, item, text, ...(key !== undefined && { emailKey: key }), reasons: [] }
}
