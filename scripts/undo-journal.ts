/** Reads FILE.state, the last batch first, and keeps in it what an undo has done. */
import { createReadStream, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SentRow, UndoBatch } from '../packages/import/undo-record.ts'
import type { UndoneBatch } from '../packages/import/undo.ts'
import { addCounts, noCounts, type UndoCounts } from '../packages/import/undo-step.ts'
import type { UndoNeeds } from '../packages/import/undo-token.ts'
import { type JournalHead, type JournalLine, lineText, readHead } from './import-journal.ts'

/** Where the lines about a batch are. */
interface Place {
  first: number
  lines: { start: number; length: number }[]
  /** Whether something of the batch may still be taken back. */
  isOpen: boolean
}

export interface UndoJournal {
  head: JournalHead
  needs: UndoNeeds
  /** The number of batches that are left. */
  left: number
  /** What this run and earlier ones have taken back. */
  counts: () => UndoCounts
  batches: () => AsyncGenerator<UndoBatch>
  /** `lines` are the rows of which something stays. */
  keepUndone: (first: number, undone: UndoneBatch, lines: Set<number>) => Promise<void>
  /** Replaces the journal by what stays, or it would keep the data of people who were erased. */
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** Returns undefined if the file is not a journal. */
export async function openUndoJournal(path: string, isDryRun: boolean): Promise<UndoJournal | undefined> {
  const head = readHead(path)
  if (!head) return undefined
  const index = await readIndex(path)
  const places = index.places.filter(({ isOpen }) => isOpen).toSorted((a, b) => b.first - a.first)
  const file = await open(path, isDryRun ? 'r' : 'a+')
  if (!isDryRun) rmSync(`${path}.new`, { force: true })
  const next = isDryRun ? undefined : await open(`${path}.new`, 'a', 0o600)
  if (!isDryRun) await file.chmod(0o600)
  const headBytes = Buffer.byteLength(lineText(head))
  await next?.appendFile(lineText(head))
  let counts = isDryRun ? noCounts() : index.counts
  let hasStays = false
  return {
    head,
    needs: index.needs,
    left: places.length,
    counts: () => counts,
    async *batches() {
      for (const place of places) yield await readBatch(file, place)
    },
    async keepUndone(first, undone, lines) {
      counts = addCounts(counts, undone.counts)
      if (!next) return
      await file.appendFile(lineText({ first, undone }))
      hasStays ||= lines.size > 0
      const place = places.find((each) => each.first === first)
      if (!place || lines.size + undone.deferred === 0) return
      for (const line of staysOf(await readBatch(file, place), lines, undone)) await next.appendFile(lineText(line))
    },
    async finish() {
      if (!next) return
      if (!hasStays) await next.truncate(headBytes)
      await next.appendFile(lineText({ counts }))
      await next.datasync()
      renameSync(`${path}.new`, path)
    },
    async close() {
      await Promise.all([file.close(), next?.close()])
      if (next) rmSync(`${path}.new`, { force: true })
    },
  }
}

async function readIndex(path: string): Promise<{ places: Place[]; needs: UndoNeeds; counts: UndoCounts }> {
  const places = new Map<number, Place>()
  const needs = { hasCreated: false, hasAccesses: false }
  let counts = noCounts()
  for await (const { line, start, length } of linesOf(path)) {
    if ('counts' in line) counts = addCounts(counts, line.counts)
    if (!('first' in line)) continue
    const place = places.get(line.first) ?? { first: line.first, lines: [], isOpen: true }
    places.set(line.first, place)
    place.lines.push({ start, length })
    if ('undone' in line) {
      counts = addCounts(counts, line.undone.counts)
      place.isOpen = line.undone.stays + line.undone.deferred > 0
      continue
    }
    if ('changes' in line) needs.hasAccesses ||= line.changes.some(({ accesses = [] }) => accesses.length > 0)
    if ('sent' in line) needs.hasAccesses ||= line.sent.some(({ item }) => item['product_accesses'] !== undefined)
    if ('created' in line) needs.hasCreated ||= line.created.length > 0
  }
  const all = [...places.values()]
  return { places: all, needs, counts }
}

interface FoundLine {
  line: JournalLine | JournalHead
  start: number
  length: number
}

/** A last line without an end was cut off by a kill. */
async function* linesOf(path: string): AsyncGenerator<FoundLine> {
  let [rest, start] = [Buffer.alloc(0), 0]
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield { line: JSON.parse(rest.subarray(0, end).toString('utf8')), start, length: end + 1 }
      start += end + 1
      rest = rest.subarray(end + 1)
    }
  }
}

async function readBatch(file: FileHandle, { first, lines }: Place): Promise<UndoBatch> {
  const batch: UndoBatch = { first, changes: [], created: [], uncompared: [], etags: {}, closed: [] }
  const sent = new Map<number, SentRow>()
  const created = new Map<number, { id: string; etag: string }>()
  const uncompared = new Set<number>()
  let unanswered: UndoBatch['unanswered']
  let hasResults = false
  for (const { start, length } of lines) {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start)
    const line: JournalLine = JSON.parse(buffer.toString('utf8'))
    // What stayed of a batch may be in several lines.
    if ('changes' in line)
      batch.changes.push(...line.changes.filter((change) => !batch.changes.some((each) => each.line === change.line)))
    if ('undone' in line) batch.closed.push(...line.undone.closed)
    if ('sent' in line) {
      for (const row of line.sent) sent.set(row.line, row)
      unanswered ??= { rows: line.sent, lastId: line.lastId, since: line.since }
    }
    if (!('created' in line)) continue
    // A batch that was sent again has two, and the second one need not know those whom somebody has erased meanwhile.
    hasResults = true
    for (const each of line.created) created.set(each.line, each)
    for (const each of line.uncompared) uncompared.add(each)
    Object.assign(batch.etags, line.etags)
  }
  for (const row of sent.values()) {
    const found = created.get(row.line)
    if (found) batch.created.push({ ...row, id: found.id, etag: found.etag })
    if (uncompared.has(row.line)) batch.uncompared.push(row)
  }
  return hasResults ? batch : { ...batch, unanswered }
}

/** The lines about a batch for what stays of it. What is deferred is taken back with an earlier batch, and stays until then. */
function staysOf(batch: UndoBatch, stays: Set<number>, undone: UndoneBatch): JournalLine[] {
  const { first, etags, unanswered, closed } = batch
  const changes = batch.changes.filter(({ line, isRecent }) => isRecent === true || stays.has(line))
  const created = batch.created.filter(({ line }) => stays.has(line))
  const uncompared = batch.uncompared.filter(({ line }) => stays.has(line))
  const { rows = [], lastId = 0, since = 0 } = unanswered ?? {}
  const sent = [...created, ...uncompared, ...rows.filter(({ line }) => stays.has(line))]
  const results = {
    created: created.map(({ line, id, etag }) => ({ line, id, etag })),
    uncompared: uncompared.map(({ line }) => line),
    etags,
  }
  return [
    { first, changes },
    { first, sent: sent.map(({ line, item }) => ({ line, item })), lastId, since },
    ...(unanswered ? [] : [{ first, ...results }]),
    // What it has taken back is counted in the last line.
    { first, undone: { ...undone, closed: [...closed, ...undone.closed], counts: noCounts() } },
  ]
}
