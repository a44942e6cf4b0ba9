/** Reads FILE.state, the last batch first, and keeps in it what an undo has done. */
import { createReadStream, renameSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Change } from '../packages/import/changes.ts'
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
  /** Whether its results are known; undefined if nothing was sent. */
  isAnswered?: boolean
}

export interface UndoJournal {
  head: JournalHead
  needs: UndoNeeds
  /** The number of batches that are left. */
  left: number
  /** When the import has sent a batch whose results it does not know, in milliseconds since 1970. */
  unansweredAt: number | undefined
  /** What this run and earlier ones have taken back. */
  counts: () => UndoCounts
  batches: () => AsyncGenerator<UndoBatch>
  keepUndone: (first: number, undone: UndoneBatch) => Promise<void>
  /** Takes note of who is erased, so that nothing is kept of the person. */
  forget: (id: string) => void
  /** Replaces the journal by what stays, or it would keep the data of people who were erased. */
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** Returns undefined if the file is not a journal. */
export async function openUndoJournal(path: string, isDryRun: boolean): Promise<UndoJournal | undefined> {
  const head = readHead(path)
  if (!head) return undefined
  const index = await readIndex(path)
  const changedAt = statSync(path).mtimeMs
  const places = index.places.filter(({ isOpen }) => isOpen).toSorted((a, b) => b.first - a.first)
  const file = await open(path, isDryRun ? 'r' : 'a+')
  // A kill has cut off the last line, and what is appended would be a part of it.
  if (!isDryRun) await file.truncate(index.end)
  if (!isDryRun) rmSync(`${path}.new`, { force: true })
  const next = isDryRun ? undefined : await open(`${path}.new`, 'a', 0o600)
  if (!isDryRun) await file.chmod(0o600)
  await next?.appendFile(lineText(head))
  let counts = isDryRun ? noCounts() : index.counts
  /** People whom an earlier batch has created, and those of them who are erased. */
  const [recent, erased] = [new Set<string>(), new Set<string>()]
  const kept = new Map<Place, UndoneBatch>()
  return {
    head,
    needs: index.needs,
    left: places.length,
    unansweredAt: index.isUndone || places.every(({ isAnswered = true }) => isAnswered) ? undefined : changedAt,
    counts: () => counts,
    async *batches() {
      for (const place of places) {
        const batch = await readBatch(file, place)
        for (const { id, isRecent = false } of batch.changes) if (isRecent) recent.add(id)
        yield batch
      }
    },
    forget(id) {
      if (recent.has(id)) erased.add(id)
    },
    async keepUndone(first, undone) {
      counts = addCounts(counts, undone.counts)
      if (!next) return
      await file.appendFile(lineText({ first, undone }))
      const place = places.find((each) => each.first === first)
      if (place && undone.stays + undone.deferred > 0) kept.set(place, undone)
    },
    async finish() {
      if (!next) return
      if ([...kept.values()].some(({ stays }) => stays > 0))
        for (const [place, undone] of kept)
          for (const line of staysOf(await readBatch(file, place), undone, erased))
            await next.appendFile(lineText(line))
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

interface Index {
  places: Place[]
  needs: UndoNeeds
  counts: UndoCounts
  /** An undo has written into it since. */
  isUndone: boolean
  /** Where the last line ends that is whole. */
  end: number
}

async function readIndex(path: string): Promise<Index> {
  const places = new Map<number, Place>()
  const needs = { hasCreated: false, hasAccesses: false }
  let [counts, end, isUndone] = [noCounts(), 0, false]
  for await (const { line, start, length } of linesOf(path)) {
    end = start + length
    if ('counts' in line) counts = addCounts(counts, line.counts)
    if (!('first' in line)) continue
    const place = places.get(line.first) ?? { first: line.first, lines: [], isOpen: true }
    places.set(line.first, place)
    place.lines.push({ start, length })
    if ('undone' in line) {
      isUndone = true
      counts = addCounts(counts, line.undone.counts)
      place.isOpen = line.undone.stays + line.undone.deferred > 0
      continue
    }
    if ('changes' in line) needs.hasAccesses ||= line.changes.some(({ accesses = [] }) => accesses.length > 0)
    if ('sent' in line) {
      needs.hasAccesses ||= line.sent.some(({ item }) => item['product_accesses'] !== undefined)
      place.isAnswered ??= false
    }
    if (!('created' in line)) continue
    needs.hasCreated ||= line.created.length > 0
    place.isAnswered = true
  }
  const all = [...places.values()]
  // Whom a batch has created is not known if the import has ended before its results.
  needs.hasCreated ||= all.some(({ isAnswered }) => isAnswered === false)
  return { places: all, needs, counts, isUndone, end }
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
  const changes = new Map<number, Change>()
  const sent = new Map<number, SentRow>()
  const created = new Map<number, { id: string; etag: string }>()
  const uncompared = new Set<number>()
  /** What was known before the batch was sent first. */
  let known: { lastId: number; since: number } | undefined
  let hasResults = false
  /** The rows of which an earlier undo has left something. */
  let staying: Set<number> | undefined
  for (const { start, length } of lines) {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start)
    const line: JournalLine = JSON.parse(buffer.toString('utf8'))
    // A batch that was sent again was compared again.
    if ('changes' in line) for (const change of line.changes) changes.set(change.line, change)
    if ('undone' in line) {
      batch.closed.push(...line.undone.closed)
      staying = line.undone.lines && new Set(line.undone.lines)
    }
    if ('sent' in line) {
      for (const row of line.sent) sent.set(row.line, row)
      known ??= { lastId: line.lastId, since: line.since }
    }
    if (!('created' in line)) continue
    // A batch that was sent again has two, and the second one need not know those whom somebody has erased meanwhile.
    hasResults = true
    for (const each of line.created) created.set(each.line, each)
    for (const each of line.uncompared) uncompared.add(each)
    Object.assign(batch.etags, line.etags)
  }
  const isLeft = ({ line }: { line: number }): boolean => staying?.has(line) ?? true
  batch.changes = [...changes.values()].filter((change) => change.isRecent === true || isLeft(change))
  const rows = [...sent.values()].filter(isLeft)
  for (const row of rows) {
    const found = created.get(row.line)
    if (found) batch.created.push({ ...row, id: found.id, etag: found.etag })
    if (uncompared.has(row.line)) batch.uncompared.push(row)
  }
  return hasResults || !known ? batch : { ...batch, unanswered: { rows, ...known } }
}

/** The lines about a batch for what stays of it. What is deferred stays with the person whom an earlier batch has created. */
function staysOf(batch: UndoBatch, undone: UndoneBatch, erased: ReadonlySet<string>): JournalLine[] {
  const { first, etags, unanswered, closed } = batch
  const stays = new Set(undone.lines)
  const changes = batch.changes.filter(({ id, line, isRecent }) =>
    isRecent === true ? !erased.has(id) : stays.has(line),
  )
  const created = batch.created.filter(({ line }) => stays.has(line))
  const uncompared = batch.uncompared.filter(({ line }) => stays.has(line))
  const { rows = [], lastId = 0, since = 0 } = unanswered ?? {}
  const sent = [...created, ...uncompared, ...rows.filter(({ line }) => stays.has(line))]
  const results = {
    created: created.map(({ line, id, etag }) => ({ line, id, etag })),
    uncompared: uncompared.map(({ line }) => line),
    etags: Object.fromEntries(Object.entries(etags).filter(([id]) => !erased.has(id))),
  }
  if (changes.length + sent.length === 0) return []
  return [
    { first, changes },
    { first, sent: sent.map(({ line, item }) => ({ line, item })), lastId, since },
    ...(unanswered ? [] : [{ first, ...results }]),
    // What it has taken back is counted in the last line.
    { first, undone: { ...undone, closed: [...closed, ...undone.closed], counts: noCounts() } },
  ]
}
