/** Reads the file of an import, and stores the state and the failed rows next to it between runs. */
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open, rename, truncate } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { isObject, valueAt } from '../src/lib/json.ts'
import { failedWriter } from '../packages/import/failed.ts'
import type { Inspection } from '../packages/import/inspect.ts'
import type { Source } from '../packages/import/source.ts'
import type { FailedRow, Keeper, State } from '../packages/import/state.ts'
import { noEffects } from '../packages/import/run.ts'
import { EFFECTS } from '../packages/import/stored-accesses.ts'
import { textIn } from '../packages/import/text-in.ts'
import { openJournal, type Run } from './import-journal.ts'

const CHUNK_BYTES = 65_536

/** Throws the error of Node if the file cannot be read. */
export function fileSource(path: string): Source {
  return {
    size: statSync(path).size,
    open: () => createReadStream(path),
    openSlice: (start, end) => createReadStream(path, { start, end: end - 1 }),
    // An error is thrown by whoever reads the result.
    inflate: (chunks) => pipeline(Readable.from(chunks), createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {}),
  }
}

export interface Files {
  failed: string
  /** The users as they are before an update. Only a dry run writes it. */
  before: string
  /** How whole names are split. Only a dry run writes it. */
  names: string
  state: string
  /** What `--undo` needs. It stays when the import is done. */
  journal: string
}

export function filesFor(path: string, { format }: Inspection, dryRun: boolean): Files {
  const start = `${path}${dryRun ? '.dry-run' : ''}`
  return {
    failed: `${start}.failed.${format}`,
    before: `${path}.dry-run.before.csv`,
    names: `${path}.dry-run.names.csv`,
    state: `${path}.registrar-import.json`,
    journal: `${path}.state`,
  }
}

interface Saved {
  run: Run
  state: State
  /** This many bytes of the file of failed rows belong to this state. */
  failed_bytes: number
  /** Those of the journal. An earlier version has kept none. */
  run_id?: string | undefined
  journal_bytes?: number
}

/** Returns the state of an earlier run, or undefined if there is none. Throws SyntaxError for any other file. */
export function loadSaved(path: string): Saved | undefined {
  if (!existsSync(path)) return undefined
  const saved: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isObject(saved) || !isObject(saved['state']) || !isObject(saved['run']))
    throw new SyntaxError(`${path} is not the state of an import`)
  const { run, state } = saved
  const number = (name: string): number => Number(state[name])
  return {
    run: {
      url: String(run['url']),
      store: String(run['store']),
      on_existing: String(run['on_existing']),
      reading: textIn(run, 'reading') ?? '',
    },
    state: {
      fingerprint: number('fingerprint'),
      rows: number('rows'),
      next: number('next'),
      waiting: waitingIn(state),
      created: number('created'),
      existing: number('existing'),
      changed: number('changed'),
      uncompared: number('uncompared') || 0,
      effects: effectsIn(state),
      failed: number('failed'),
      leftOut: number('leftOut') || 0,
      firstLeftOut: number('firstLeftOut') || undefined,
      lastId: number('lastId'),
      since: number('since'),
      newest: number('newest') || 0,
    },
    failed_bytes: Number(saved['failed_bytes']),
    run_id: textIn(saved, 'run_id'),
    journal_bytes: Number(saved['journal_bytes']) || 0,
  }
}

function waitingIn({ waiting }: Record<string, unknown>): number[] {
  return Array.isArray(waiting) ? waiting.map(Number) : []
}

function effectsIn(state: unknown): State['effects'] {
  const effects = noEffects()
  for (const effect of EFFECTS) effects[effect] = Number(valueAt(state, ['effects', effect]) ?? 0)
  return effects
}

/**
 * Failed rows are on the disk before the state that counts them, and the new state replaces the old one atomically.
 * After a kill at any moment there is a complete state, and later bytes in the file of failed rows are removed.
 */
export async function keepFiles(files: Files, inspection: Inspection, run: Run, saved?: Saved): Promise<FileKeeper> {
  const { head, rowText } = failedWriter(inspection)
  const runId = saved?.run_id ?? randomUUID()
  const about = { run_id: runId, run, file: basename(files.failed).replace(/\.failed\.\w+$/, '') }
  const journal = openJournal(files.journal, { ...about, before: saved?.state.next ?? 0 }, saved?.journal_bytes)
  // Rows after the state were left by a kill, or by a run that is not continued; they would be reported twice.
  let bytes = Math.min(saved?.failed_bytes ?? 0, sizeOf(files.failed))
  if (bytes > 0) await truncate(files.failed, bytes)
  else rmSync(files.failed, { force: true })
  return {
    async keepFailed(rows: FailedRow[]) {
      // Rows may contain passwords, so only the owner may read the file.
      const failed = await open(files.failed, 'a', 0o600)
      await failed.chmod(0o600)
      await failed.writeFile((bytes === 0 ? head : '') + rows.map(rowText).join(''))
      await failed.datasync()
      bytes = (await failed.stat()).size
      await failed.close()
    },
    async saveState(state: State) {
      const next = await open(`${files.state}.new`, 'w', 0o600)
      await next.chmod(0o600)
      const saving: Saved = { run, state, failed_bytes: bytes, run_id: runId, journal_bytes: journal.size() }
      await next.writeFile(`${JSON.stringify(saving)}\n`)
      await next.datasync()
      await next.close()
      await rename(`${files.state}.new`, files.state)
    },
    keepChanges: journal.keepChanges,
    keepSent: journal.keepSent,
    keepResults: journal.keepResults,
    async finish({ created, changed, uncompared }) {
      const hasChanges = created + changed + uncompared > 0
      await journal.close(hasChanges)
      rmSync(files.state, { force: true })
      return hasChanges
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export interface FileKeeper extends Keeper {
  /** Deletes the state, because the import is complete. Returns whether there is something to take back. */
  finish: (state: State) => Promise<boolean>
}
