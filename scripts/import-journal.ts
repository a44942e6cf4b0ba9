/**
 * FILE.state: what an import has changed, so that `--undo` can take it back. It is a file of JSON lines that only grows, or
 * memory and time would grow with each batch. The lines about a batch are written before the batch is sent.
 */
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../src/lib/json.ts'
import type { Change } from '../packages/import/changes.ts'
import { mergedChanges } from '../packages/import/merged-changes.ts'
import type { Results, State } from '../packages/import/state.ts'
import { etagOfCreation, type SentRow } from '../packages/import/undo-record.ts'
import type { UndoneBatch } from '../packages/import/undo.ts'
import type { UndoCounts } from '../packages/import/undo-step.ts'

/** What a state of an import belongs to. */
export interface Run {
  url: string
  store: string
  on_existing: string
  /** The options that decide how the file is read. */
  reading: string
}

export interface JournalHead {
  /** The version of this format. */
  registrar_import: 1
  run_id: string
  run: Run
  file: string
  /** So many rows were imported before the journal began. */
  before: number
  /** The file of an earlier import that had this name. It gets its name back if this import changes nothing. */
  earlier?: string | undefined
}

/** `first` is the number of rows before the batch. */
export type JournalLine =
  | { first: number; changes: Change[] }
  | { first: number; sent: SentRow[]; lastId: number; since: number }
  | {
      first: number
      created: { line: number; id: string; etag: string }[]
      uncompared: number[]
      etags: Record<string, string>
    }
  | { first: number; undone: UndoneBatch }
  /** What an undo has done that has ended. */
  | { counts: UndoCounts }

export interface Journal {
  keepChanges: (changes: Change[], state: State) => Promise<Change[]>
  keepSent: (rows: SentRow[], state: State) => Promise<void>
  keepResults: (results: Results, state: State) => Promise<void>
  /** How many of its bytes are about batches that are done. */
  size: () => number
  /** An import that has changed nothing leaves no journal. */
  close: (hasChanges: boolean) => Promise<void>
}

const MAX_HEAD_BYTES = 65_536

/** Continues the journal of the run if there is one. `size` is what its last saved state says. */
export function openJournal(path: string, head: Omit<JournalHead, 'registrar_import' | 'earlier'>, size = 0): Journal {
  let file: FileHandle | undefined
  let bytes = size
  /** The lines about a batch that was sent before, and whose response was lost. */
  let tail: JournalLine[] = []

  async function begin(): Promise<FileHandle> {
    if (file) return file
    const own = readHead(path)
    const isOwn = own?.run_id === head.run_id && statSync(path).size >= size
    const earlier = isOwn ? undefined : setAside(path)
    file = await open(path, 'a', 0o600)
    // Opening a file that is there does not change its mode.
    await file.chmod(0o600)
    if (isOwn) {
      const rest = readSlice(path, size)
      const end = rest.lastIndexOf('\n') + 1
      tail = rest
        .slice(0, end)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      bytes = size + Buffer.byteLength(rest.slice(0, end))
      // A kill has cut off the last line.
      await file.truncate(bytes)
    } else {
      bytes = 0
      await write({ registrar_import: 1, ...head, ...(earlier !== undefined && { earlier }) })
    }
    return file
  }

  async function write(line: JournalLine | JournalHead): Promise<void> {
    const text = lineText(line)
    await (await begin()).appendFile(text)
    bytes += Buffer.byteLength(text)
  }

  return {
    async keepChanges(changes, { next: first }) {
      await begin()
      const earlier = tail.filter((line) => 'first' in line && line.first === first)
      const kept = earlier.flatMap((line) => ('changes' in line ? line.changes : []))
      const merged = earlier.length > 0 ? mergedChanges(kept, changes) : changes
      if (isDeepStrictEqual(merged, kept)) return kept
      await write({ first, changes: merged })
      // Once the batch is sent, nobody knows these values any more. Everything else survives a kill without this, and after
      // a power cut, an import that continues finds whom it has created.
      await (await begin()).datasync()
      return merged
    },
    async keepSent(rows, { next: first, lastId, since }) {
      if (rows.length === 0) return
      await begin()
      const known = new Set<number>()
      for (const line of tail)
        if ('sent' in line && line.first === first) for (const row of line.sent) known.add(row.line)
      // An earlier version has made smaller batches.
      const sent = rows.filter(({ line }) => !known.has(line))
      if (sent.length > 0) await write({ first, sent, lastId, since })
    },
    async keepResults({ created, uncompared, etags }, { next: first }) {
      await write({
        first,
        created: created.map(({ row, id }) => ({ line: row.line, id, etag: etagOfCreation(id) })),
        uncompared: uncompared.map(({ line }) => line),
        etags,
      })
    },
    size: () => bytes,
    async close(hasChanges) {
      await file?.datasync()
      await file?.close()
      const own = hasChanges ? undefined : readHead(path)
      if (own?.run_id !== head.run_id) return
      rmSync(path)
      if (own.earlier !== undefined && existsSync(own.earlier)) renameSync(own.earlier, path)
    },
  }
}

export function lineText(line: JournalLine | JournalHead): string {
  return `${JSON.stringify(line)}\n`
}

/** Returns undefined if the file is not a journal, or if there is none. */
export function readHead(path: string): JournalHead | undefined {
  if (!existsSync(path)) return undefined
  const [line = ''] = readSlice(path, 0, MAX_HEAD_BYTES).split('\n', 1)
  try {
    const head: unknown = JSON.parse(line)
    return isObject(head) && head['registrar_import'] === 1 ? JSON.parse(line) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** Keeps that of an earlier import, which can still be taken back. */
function setAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const head = readHead(path)
  if (head && readSlice(path, Buffer.byteLength(lineText(head)), MAX_HEAD_BYTES).startsWith('{"counts"')) {
    rmSync(path)
    return undefined
  }
  const time = statSync(path).mtime.toISOString().replaceAll(/[:.]/g, '-')
  const earlier = `${path.replace(/\.state$/, '')}.${time}.state`
  renameSync(path, earlier)
  console.log(`${path} is about an earlier import. It is ${earlier} now.`)
  return earlier
}

function readSlice(path: string, start: number, most = Infinity): string {
  const file = openSync(path, 'r')
  try {
    const length = Math.max(0, Math.min(statSync(path).size - start, most))
    const buffer = Buffer.alloc(length)
    readSync(file, buffer, 0, length, start)
    return buffer.toString('utf8')
  } finally {
    closeSync(file)
  }
}
