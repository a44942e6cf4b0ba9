/** Splits rows into batches within the limits of a request: 100 items, 10 passwords and 1 MiB. */
import { emailKey } from '../../src/lib/emails.ts'
import { BATCH, MAX_BATCH_BYTES } from '../../src/limits.ts'
import type { Columns, Item } from './columns.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'

/** The body needs this many bytes in addition to its items, also if they have values in place of faulty ones. */
const ENVELOPE_BYTES = 10_000

export interface PreparedRow {
  row: Row
  item: Record<string, unknown>
  /** Those of the item as JSON. */
  bytes: number
  /** The item as JSON. If it is missing, the row cannot be sent, and `reasons` say why. */
  text?: string
  emailKey?: string
  /** As in `Item` (columns.ts). */
  localDates?: ReadonlyMap<number, string>
  wholeName?: string
  keptName?: Item['keptName']
  ids?: Item['ids']
  /** The accesses that lose their limit once the row has been carried out. */
  unlimited?: string[]
  /** It would create somebody, which this import must not. */
  isLeftOut?: boolean
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
    const prepared = prepare(row, columns, onExisting)
    const size = prepared.bytes + 1
    const hasPassword = prepared.item['password'] != null
    const key = prepared.text === undefined ? undefined : prepared.emailKey
    const isRepeated = onExisting !== 'fail' && key !== undefined && emailKeys.has(key)
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
    if (key !== undefined) emailKeys.add(key)
  }
  if (batch.length > 0) yield batch
}

/**
 * The email of an item in the form in which the service compares emails, or the id of the person if the row has that.
 * Undefined if the email is not valid.
 */
export function emailKeyOf({ item: { email }, ids }: Pick<Item, 'item' | 'ids'>): string | undefined {
  if (ids) return `id ${ids.user}`
  return typeof email === 'string' ? emailKey(email) : undefined
}

function prepare(row: Row, columns: Columns, onExisting: OnExisting): PreparedRow {
  const { item, ...read } = columns.toItem(row)
  // Only an update reads who exists, before it sends anything.
  const reasons = [...read.reasons, ...(onExisting === 'update' ? [] : (read.keptName?.reasons ?? []))]
  const text = JSON.stringify(item)
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 + ENVELOPE_BYTES > MAX_BATCH_BYTES)
    return {
      row,
      item: {},
      bytes: 0,
      reasons: [{ column: '', code: 'too_long', explanation: 'the row is too long for a request' }],
    }
  const bytes = new TextEncoder().encode(text).length
  const key = emailKeyOf({ item, ...read })
  const prepared = { row, item, bytes, ...read, ...(key !== undefined && { emailKey: key }), reasons }
  return reasons.length > 0 ? prepared : { ...prepared, text }
}
