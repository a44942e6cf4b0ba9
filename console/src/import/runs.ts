/** Runs an import until it is finished, paused or stopped. A saved run continues where it was. */
import { storedToken } from '../api/token.ts'
import { connect, type FailedRow, inspect, type Reason, runImport, type State } from './engine.ts'
import { type ChosenFile, type Run, Stopped } from './run-state.ts'
import { type FailedLine, findRun, loadFailed, saveRun } from './saved-runs.ts'

interface RunOptions {
  store: string
  chosen: ChosenFile
  isDryRun: boolean
  signal: AbortSignal
  show: (changes: Partial<Run>) => void
}

/** Throws FileError, Refused, GaveUp, Stopped, or the reason of the signal. */
export async function startRun({ store, chosen, isDryRun, signal, show }: RunOptions): Promise<void> {
  const token = storedToken() ?? ''
  const { file, source, rename, products, onExisting, fingerprint, recognized } = chosen
  const { headings, delimiter } = recognized
  const reading = { rename, onExisting, dates: source.dates, headings, delimiter }
  const inspection = await inspect(source, { rename, onBytes: () => signal.throwIfAborted() })
  show({ inspection })
  // The lock keeps other tabs from importing the same file. Two runs at once would each count the other's new users as
  // already existing.
  await navigator.locks.request(`registrar-import ${store} ${fingerprint}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) throw new Stopped('other_tab')
    const saved = isDryRun ? undefined : await findRun(store, fingerprint)
    // Rows that another tab has imported since this one chose the file would be sent again, and count as existing.
    if (!isDryRun && saved?.savedAt !== chosen.saved?.savedAt) throw new Stopped('changed_elsewhere')
    const failed = createFailedLines(saved ? await loadFailed(store, fingerprint) : [])
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
      products,
      state: saved?.state,
      keeper: {
        keepFailed: async (rows) => {
          pending = rows.map(toFailedLine)
        },
        // The failed lines of a batch and the state that counts them are saved together, or a crash between the two
        // would lose lines.
        saveState: async (state) => {
          if (!isDryRun)
            await saveRun({ store, fingerprint, fileName: file.name, ...reading, state, savedAt: Date.now() }, pending)
          failed.add(pending)
          pending = []
          if (storedToken() !== token) throw new Stopped('signed_out')
        },
      },
      onProgress: (state) => show({ state, failed: failed.lines, waiting: undefined, ...timing(state) }),
    })
  })
}

function toFailedLine({ row, item, reasons }: FailedRow): FailedLine {
  return { line: row.line, person: personIn(item), reasons }
}

/** Returns the name in an item, or else the email. */
function personIn({ name, last_name: lastName, email }: Record<string, unknown>): string {
  const names = [name, lastName].filter((each) => typeof each === 'string')
  return names.length > 0 ? names.join(' ') : typeof email === 'string' ? email : ''
}

/**
 * Collects failed lines by their number. Lines that fail for the same reasons share one array, or a million of them
 * would fill the memory.
 */
function createFailedLines(first: FailedLine[]) {
  const lines = new Map<number, Pick<FailedLine, 'person' | 'reasons'>>()
  const shared = new Map<string, Reason[]>()
  const add = (failed: FailedLine[]): void => {
    for (const { line, person, reasons } of failed) {
      const key = JSON.stringify(reasons)
      const sharedReasons = shared.get(key) ?? reasons
      shared.set(key, sharedReasons)
      lines.set(line, { person, reasons: sharedReasons })
    }
  }
  add(first)
  return { lines, add }
}

/** Measures from the start of this run. With the time of earlier runs, a pause would make the rate too low. */
function startTiming(first: number): (state: State) => Pick<Run, 'rate' | 'secondsLeft'> {
  const start = performance.now()
  return ({ next, rows }) => {
    const rate = ((next - first) / Math.max(1, performance.now() - start)) * 1000
    return { rate, secondsLeft: (rows - next) / Math.max(rate, 0.001) }
  }
}
