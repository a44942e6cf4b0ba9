/** The files of an import: what is read, and beside it what is kept between runs. */
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open, rename, truncate } from 'node:fs/promises'
import { isObject } from '../src/json.ts'
import { failedWriter } from '../import/failed.ts'
import type { Inspection } from '../import/inspect.ts'
import type { FailedRow, Keeper, State } from '../import/run.ts'
import type { Source } from '../import/source.ts'

/** Throws what Node throws for a file that cannot be read. */
export function fileSource(path: string): Source {
  return { size: statSync(path).size, open: () => createReadStream(path) }
}

export interface Files {
  failed: string
  state: string
}

export function filesFor(path: string, { format }: Inspection, dryRun: boolean): Files {
  return { failed: `${path}${dryRun ? '.dry-run' : ''}.failed.${format}`, state: `${path}.registrar-import.json` }
}

/** What names the run that a state belongs to: with other values it would go on with something else. */
export interface Run {
  url: string
  store: string
  on_existing: string
}

interface Saved {
  run: Run
  state: State
  /** How much of the file of failed rows belongs to this state. */
  failed_bytes: number
}

/** What an earlier run has left, undefined where there is none. Throws for a file that is no such state. */
export function loadSaved(path: string): Saved | undefined {
  if (!existsSync(path)) return undefined
  const saved: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isObject(saved) || !isObject(saved['state']) || !isObject(saved['run']))
    throw new SyntaxError(`${path}: no state of an import`)
  const { run, state } = saved
  const number = (name: string): number => Number(state[name])
  return {
    run: { url: String(run['url']), store: String(run['store']), on_existing: String(run['on_existing']) },
    state: {
      fingerprint: number('fingerprint'),
      rows: number('rows'),
      next: number('next'),
      created: number('created'),
      existing: number('existing'),
      failed: number('failed'),
      lastId: number('lastId'),
      since: number('since'),
    },
    failed_bytes: Number(saved['failed_bytes']),
  }
}

/**
 * Failed rows are on the disk before the state that counts them, and the state replaces the old one in one step: after
 * a kill at any moment there is a whole state, and what the other file has beyond it is cut off.
 */
export async function keepFiles(files: Files, inspection: Inspection, run: Run, saved?: Saved): Promise<FileKeeper> {
  const { head, rowText } = failedWriter(inspection)
  // What a kill has left beyond the state, or a run that is not gone on with.
  let bytes = Math.min(saved?.failed_bytes ?? 0, sizeOf(files.failed))
  if (bytes > 0) await truncate(files.failed, bytes)
  else rmSync(files.failed, { force: true })
  return {
    async keepFailed(rows: FailedRow[]) {
      // Rows may hold passwords: for the eyes of the owner alone.
      const failed = await open(files.failed, 'a', 0o600)
      await failed.writeFile((bytes === 0 ? head : '') + rows.map(rowText).join(''))
      await failed.datasync()
      bytes = (await failed.stat()).size
      await failed.close()
    },
    async saveState(state: State) {
      const next = await open(`${files.state}.new`, 'w', 0o600)
      await next.writeFile(`${JSON.stringify({ run, state, failed_bytes: bytes } satisfies Saved)}\n`)
      await next.datasync()
      await next.close()
      await rename(`${files.state}.new`, files.state)
    },
    finish: () => rmSync(files.state, { force: true }),
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export interface FileKeeper extends Keeper {
  /** Nothing is left to go on with. */
  finish: () => void
}
