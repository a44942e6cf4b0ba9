/** One stretch of an import: from where it was to its end, or until it is paused. */
import { storedToken } from '../api/token.ts'
import { connect, type FailedRow, inspect, type Reason, runImport, type State } from './engine.ts'
import { sourceOf } from './file.ts'
import type { ChosenFile, Run } from './job.ts'
import { type FailedLine, loadFailed, saveRun } from './saved-runs.ts'

export type FailedLines = ReadonlyMap<number, Reason[]>

export function noFailedLines(): FailedLines {
  return new Map()
}

/** Why it does not go on, where the engine has no word for it. */
export class Stopped extends Error {
  override name = 'Stopped'
  readonly code: 'other_tab' | 'signed_out'

  constructor(code: Stopped['code']) {
    super(code)
    this.code = code
  }
}

interface Stretch {
  store: string
  chosen: ChosenFile
  isDryRun: boolean
  signal: AbortSignal
  show: (changes: Partial<Run>) => void
}

/** Throws FileError, Refused, GaveUp, and the signal's reason. */
export async function startRun({ store, chosen, isDryRun, signal, show }: Stretch): Promise<void> {
  const token = storedToken() ?? ''
  const { file, rename, onExisting, fingerprint } = chosen
  const source = sourceOf(file)
  const inspection = await inspect(source, { rename, onBytes: () => signal.throwIfAborted() })
  show({ inspection })
  // Two runs of one file at a time would each count the other's users as being there already.
  await navigator.locks.request(`registrar-import ${store} ${fingerprint}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) throw new Stopped('other_tab')
    const saved = isDryRun ? undefined : chosen.saved
    const failed = gather(saved ? await loadFailed(store, fingerprint) : [])
    let pending: FailedLine[] = []
    show({ status: 'running', failed: failed.lines, ...(saved && { state: saved.state }) })
    const timing = startTiming(saved?.state.next ?? 0)
    const client = connect({
      url: globalThis.location.origin,
      store,
      token,
      signal,
      onWait: (milliseconds, reason) => {
        if (milliseconds >= 1000) show({ waiting: { reason, seconds: Math.ceil(milliseconds / 1000) } })
      },
    })
    await runImport({
      source,
      inspection,
      client,
      onExisting,
      dryRun: isDryRun,
      rename,
      state: saved?.state,
      keeper: {
        keepFailed: async (rows) => {
          pending = rows.map(toFailedLine)
        },
        // Once for each batch: what failed in it, and the state, in one step.
        saveState: async (state) => {
          if (!isDryRun)
            await saveRun(
              { store, fingerprint, fileName: file.name, rename, onExisting, state, savedAt: Date.now() },
              pending,
            )
          failed.add(pending)
          pending = []
          if (storedToken() !== token) throw new Stopped('signed_out')
        },
      },
      onProgress: (state) => show({ state, failed: failed.lines, waiting: undefined, ...timing(state) }),
    })
  })
}

function toFailedLine({ row, reasons }: FailedRow): FailedLine {
  return { line: row.line, reasons }
}

/** By line. A million lines that fail for the same reasons share them. */
function gather(first: FailedLine[]) {
  const lines = new Map<number, Reason[]>()
  const shared = new Map<string, Reason[]>()
  const add = (failed: FailedLine[]): void => {
    for (const { line, reasons } of failed) {
      const key = JSON.stringify(reasons)
      const known = shared.get(key) ?? reasons
      shared.set(key, known)
      lines.set(line, known)
    }
  }
  add(first)
  return { lines, add }
}

/** Of this stretch alone: a pause says nothing about how quick it is. */
function startTiming(first: number): (state: State) => Pick<Run, 'rate' | 'secondsLeft'> {
  const start = performance.now()
  return ({ next, rows }) => {
    const rate = ((next - first) / Math.max(1, performance.now() - start)) * 1000
    return { rate, secondsLeft: (rows - next) / Math.max(rate, 0.001) }
  }
}
