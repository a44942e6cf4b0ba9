/** What the record of an import has so that it can be taken back, and what an undo leaves of it. */
import { BATCHES, CHANGES, type Key, openDatabase, rangeOf, resultOf, waitForCommit } from './database.ts'
import type { SentRow, UndoBatch, UndoneBatch, Who } from './engine.ts'
import { rowOf } from './engine.ts'
import { changeOf, type KeptChange } from './kept-change.ts'
import type { FailedLine, KeptBatch } from './saved-runs.ts'

interface SavedBatch extends KeptBatch, Key {
  first: number
  undone?: UndoneBatch
}

interface SavedChanges extends Key {
  first: number
  changes: KeptChange[]
  /** The rows as JSON, or a copy would lose digits of numbers. Set until the results are known. */
  sent?: { rows: string; lastId: number; since: number } | undefined
}

type Person = Pick<Who, 'id' | 'email'>

/** Writes what a batch is to send, because its response may be lost. Of a batch that is sent again, the first one counts. */
export async function saveSent(
  { store, startedAt }: Key,
  first: number,
  { rows, lastId, since }: { rows: SentRow[]; lastId: number; since: number },
): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(CHANGES, 'readwrite', { durability: 'strict' })
  const kept = transaction.objectStore(CHANGES)
  const known: SavedChanges | undefined = await resultOf(kept.get([store, startedAt, first]))
  const before: SentRow[] = known?.sent ? JSON.parse(known.sent.rows) : []
  // An earlier version has made smaller batches.
  const added = rows.filter(({ line }) => !before.some((row) => row.line === line))
  const sent = { lastId, since, ...known?.sent, rows: JSON.stringify([...before, ...added]) }
  kept.put({ store, startedAt, first, changes: known?.changes ?? [], sent })
  await waitForCommit(transaction)
}

/** The values of a row that an undo compares, and those by which people are named. */
export function undoValues({ name, last_name, email, product_accesses }: SentRow['item']): SentRow['item'] {
  return { name, last_name, email, product_accesses }
}

/** The batches that are left to be taken back, the last one first. Undefined if an older console has kept the record. */
export async function loadUndo(key: Key): Promise<UndoBatch[] | undefined> {
  const database = await openDatabase()
  const transaction = database.transaction([BATCHES, CHANGES])
  const [batches, changes]: [SavedBatch[], SavedChanges[]] = await Promise.all([
    resultOf(transaction.objectStore(BATCHES).getAll(rangeOf(key))),
    resultOf(transaction.objectStore(CHANGES).getAll(rangeOf(key))),
  ])
  const isOld =
    batches.some(({ created }) => created.some(({ etag, item }) => etag === undefined || item === undefined)) ||
    changes.some((each) => each.changes.some(({ left }) => left === undefined))
  if (isOld) return undefined
  const found = new Map<number, UndoBatch>()
  const batchOf = (first: number): UndoBatch => {
    const batch = found.get(first) ?? { first, changes: [], created: [], uncompared: [], etags: {}, closed: [] }
    found.set(first, batch)
    return batch
  }
  for (const { first, created, uncompared = [], etags = {}, undone } of batches) {
    const people = created.map(({ line, id, etag = '', item = {} }) => ({ line, id, etag, item }))
    Object.assign(batchOf(first), { created: people, uncompared, etags, closed: undone?.closed ?? [] })
  }
  for (const { first, changes: changed, sent } of changes) {
    const unanswered = sent && { ...sent, rows: JSON.parse(sent.rows) }
    Object.assign(batchOf(first), { changes: changed.map(changeOf), unanswered })
  }
  for (const { first, undone } of batches) {
    if (undone && undone.stays + undone.deferred === 0) found.delete(first)
    else if (undone?.lines) keepLines(batchOf(first), new Set(undone.lines))
  }
  return [...found.values()].toSorted((a, b) => b.first - a.first)
}

/** Leaves out what an undo has done. What is deferred belongs to the people whom an earlier batch has created. */
function keepLines(batch: UndoBatch, lines: ReadonlySet<number>): void {
  const isLeft = ({ line }: { line: number }): boolean => lines.has(line)
  batch.changes = batch.changes.filter((change) => change.isRecent === true || isLeft(change))
  batch.created = batch.created.filter(isLeft)
  batch.uncompared = batch.uncompared.filter(isLeft)
  if (batch.unanswered) batch.unanswered = { ...batch.unanswered, rows: batch.unanswered.rows.filter(isLeft) }
}

export async function saveUndone({ store, startedAt }: Key, first: number, undone: UndoneBatch): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(BATCHES, 'readwrite', { durability: 'strict' })
  const batches = transaction.objectStore(BATCHES)
  const known: SavedBatch | undefined = await resultOf(batches.get([store, startedAt, first]))
  const { failed = [], created = [], undone: before, ...rest } = known ?? {}
  const closed = [...(before?.closed ?? []), ...undone.closed]
  batches.put({ ...rest, store, startedAt, first, failed, created, undone: { ...undone, closed } })
  await waitForCommit(transaction)
}

/** Removes people who were erased from all records of a store. */
export async function forgetPeople(store: string, people: Person[]): Promise<void> {
  if (people.length === 0) return
  const ids = new Set(people.map(({ id }) => id))
  const emails = new Set(people.map(({ email }) => email.toLowerCase()).filter((email) => email !== ''))
  const database = await openDatabase()
  const transaction = database.transaction([BATCHES, CHANGES], 'readwrite', { durability: 'strict' })
  const range = IDBKeyRange.bound([store], [store, []])
  const [batches, changes] = [transaction.objectStore(BATCHES), transaction.objectStore(CHANGES)]
  const [savedBatches, savedChanges]: [SavedBatch[], SavedChanges[]] = await Promise.all([
    resultOf(batches.getAll(range)),
    resultOf(changes.getAll(range)),
  ])
  for (const batch of savedBatches) {
    const created = batch.created.filter(({ id }) => !ids.has(id))
    const failed = batch.failed.filter((line) => !valuesOf(line).some((value) => emails.has(value)))
    const uncompared = (batch.uncompared ?? []).filter(({ item }) => !emails.has(keyOf(item['email'])))
    const etags = Object.fromEntries(Object.entries(batch.etags ?? {}).filter(([id]) => !ids.has(id)))
    if (
      created.length < batch.created.length ||
      failed.length < batch.failed.length ||
      uncompared.length < (batch.uncompared ?? []).length
    )
      batches.put({ ...batch, created, failed, uncompared, etags })
  }
  for (const saved of savedChanges) {
    const left = saved.changes.filter(({ id }) => !ids.has(id))
    const sent: SentRow[] = saved.sent ? JSON.parse(saved.sent.rows) : []
    const rows = sent.filter(({ item }) => !emails.has(keyOf(item['email'])))
    if (left.length === saved.changes.length && rows.length === sent.length) continue
    changes.put({ ...saved, changes: left, ...(saved.sent && { sent: { ...saved.sent, rows: JSON.stringify(rows) } }) })
  }
  await waitForCommit(transaction)
}

function valuesOf({ row }: FailedLine): string[] {
  const read = rowOf(row)
  return ('cells' in read ? read.cells : Object.values(read.object)).map(keyOf)
}

function keyOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : ''
}
