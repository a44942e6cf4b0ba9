/** Splits rows into batches within the limits of a request: 100 items, 10 passwords and 1 MiB. */
import { emailKey } from '../../src/lib/emails.ts'
import { BATCH, MAX_BATCH_BYTES } from '../../src/limits.ts'
import type { Columns, Item } from './columns.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'

/** The body needs this many bytes in addition to its items, also if they have values in place of faulty ones. */
const ENVELOPE_BYTES = 10_000

/** More rows than these do not wait for an earlier row of their person, so that memory does not grow with the file. */
const MAX_WAITING = { rows: 1000, bytes: 4 * MAX_BATCH_BYTES }

export interface PreparedRow {
  row: Row
  /** How many rows of the file come before it. */
  index: number
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

/** Where a run begins: so many rows are done, and those that waited when they were passed, by their indexes. */
export interface Position {
  next: number
  waiting?: number[] | undefined
}

export interface Batch {
  rows: PreparedRow[]
  /** The rows before its last one that are in no batch yet, by their indexes. */
  waiting: number[]
}

/**
 * The same rows always result in the same batches, so that a resumed import repeats exactly the batch that may have
 * been lost. With `skip` and `update`, two rows with the same email are never in one batch: the service would reject
 * the second one, so the result of a row would depend on where a batch ends. The second one ends the batch, or waits for the
 * next one, and rows of other people take its place: a file with a row for each access would need a request for almost each.
 */
export async function* batchesOf(
  rows: AsyncGenerator<Row>,
  columns: Columns,
  { onExisting, mayWait }: { onExisting: OnExisting; mayWait: boolean },
  position: Position = { next: 0 },
): AsyncGenerator<Batch> {
  const incoming = preparedFrom(rows, columns, onExisting, position)
  let waiting: PreparedRow[] = []
  try {
    for (;;) {
      const batch = new Filling(onExisting !== 'fail', mayWait)
      let taken = 0
      while (!batch.isClosed) {
        const row = waiting[taken++] ?? (await incoming.next()).value
        if (row === undefined) break
        batch.take(row)
      }
      waiting = [...batch.waiting, ...waiting.slice(taken)]
      if (batch.rows.length === 0) return
      yield { rows: batch.rows, waiting: waiting.map(({ index }) => index) }
    }
  } finally {
    // If the import stops early, this closes the file.
    await incoming.return(undefined)
  }
}

class Filling {
  readonly rows: PreparedRow[] = []
  /** In their order. */
  readonly waiting: PreparedRow[] = []
  isClosed = false
  readonly #isDistinct: boolean
  readonly #mayWait: boolean
  readonly #keys = new Set<string>()
  #passwords = 0
  #bytes = ENVELOPE_BYTES
  #waitingBytes = 0

  constructor(isDistinct: boolean, mayWait: boolean) {
    this.#isDistinct = isDistinct
    this.#mayWait = mayWait
  }

  /** A row that the batch has no room for ends it. */
  take(row: PreparedRow): void {
    const key = row.text === undefined || !this.#isDistinct ? undefined : row.emailKey
    if (key !== undefined && this.#keys.has(key)) return this.#wait(row)
    const size = row.bytes + 1
    const hasPassword = row.item['password'] != null
    const isFull = (hasPassword && this.#passwords === BATCH.passwords) || this.#bytes + size > MAX_BATCH_BYTES
    if (isFull && this.rows.length > 0) {
      this.isClosed = true
      return this.#wait(row)
    }
    this.rows.push(row)
    this.#bytes += size
    if (hasPassword) this.#passwords++
    if (key !== undefined) this.#keys.add(key)
    this.isClosed = this.rows.length === BATCH.items
  }

  #wait(row: PreparedRow): void {
    this.waiting.push(row)
    this.#waitingBytes += row.bytes
    const isFull = this.waiting.length >= MAX_WAITING.rows || this.#waitingBytes >= MAX_WAITING.bytes
    if (isFull || !this.#mayWait) this.isClosed = true
  }
}

/** Those that are not done. */
async function* preparedFrom(
  rows: AsyncGenerator<Row>,
  columns: Columns,
  onExisting: OnExisting,
  { next, waiting = [] }: Position,
): AsyncGenerator<PreparedRow, undefined> {
  const [passed, undone] = [next + waiting.length, new Set(waiting)]
  let index = 0
  for await (const row of rows) {
    if (index >= passed || undone.has(index)) yield { ...prepare(row, columns, onExisting), index }
    index++
  }
}

/**
 * The email of an item in the form in which the service compares emails, or the id of the person if the row has that.
 * Undefined if the email is not valid.
 */
export function emailKeyOf({ item: { email }, ids }: Pick<Item, 'item' | 'ids'>): string | undefined {
  if (ids) return `id ${ids.user}`
  return typeof email === 'string' ? emailKey(email) : undefined
}

function prepare(row: Row, columns: Columns, onExisting: OnExisting): Omit<PreparedRow, 'index'> {
  const { item, unsplit: _, ...read } = columns.toItem(row)
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
