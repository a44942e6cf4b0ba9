/** Rows, cut into what one request may carry (contract: 100 items, 10 passwords, 1 MiB). */
import { emailKey } from '../src/domain/users/emails.ts'
import type { Columns, Reason } from './columns.ts'
import type { Row } from './read.ts'

export const BATCH = { items: 100, passwords: 10, bytes: 1_048_576 } as const
/** What stands around the items of a body. */
const ENVELOPE_BYTES = 200

export interface Prepared {
  row: Row
  item: Record<string, unknown>
  /** The item as JSON; absent where it cannot be sent. */
  text?: string
  /** The address in the form in which addresses are compared, if it is one. */
  address?: string
  reasons: Reason[]
}

export type OnExisting = 'fail' | 'skip' | 'update'

/**
 * The same rows always make the same batches, so that an import that goes on sends again exactly what may have been
 * lost. Two rows with one address never share a batch where the second is to find the first: within a batch the service
 * refuses the second, and what happens to a row would depend on where a batch happens to end.
 */
export async function* batchesOf(
  rows: AsyncIterable<Row>,
  columns: Columns,
  onExisting: OnExisting,
): AsyncGenerator<Prepared[]> {
  let batch: Prepared[] = []
  let bytes = ENVELOPE_BYTES
  let passwords = 0
  const addresses = new Set<string>()
  for await (const row of rows) {
    const prepared = prepare(row, columns)
    const size = prepared.text === undefined ? 0 : new TextEncoder().encode(prepared.text).length + 1
    const hasPassword = prepared.item['password'] != null
    const isRepeated = onExisting !== 'fail' && prepared.address !== undefined && addresses.has(prepared.address)
    const isFull =
      batch.length === BATCH.items ||
      (hasPassword && passwords === BATCH.passwords) ||
      bytes + size > BATCH.bytes ||
      isRepeated
    if (isFull) {
      yield batch
      batch = []
      bytes = ENVELOPE_BYTES
      passwords = 0
      addresses.clear()
    }
    batch.push(prepared)
    bytes += size
    if (hasPassword) passwords++
    if (prepared.address !== undefined) addresses.add(prepared.address)
  }
  if (batch.length > 0) yield batch
}

function prepare(row: Row, columns: Columns): Prepared {
  const made = columns.toItem(row)
  if ('reasons' in made) return { row, item: {}, reasons: made.reasons }
  const { item } = made
  const text = JSON.stringify(item)
  // Three bytes are the most that a UTF-16 unit can take.
  if (text.length * 3 + ENVELOPE_BYTES > BATCH.bytes)
    return { row, item: {}, reasons: [{ column: '', explanation: 'the row is too long for a request' }] }
  const address = typeof item['email'] === 'string' ? emailKey(item['email']) : undefined
  return { row, item, text, ...(address !== undefined && { address }), reasons: [] }
}
