/** Runs an import until it is finished, paused or stopped. A saved run continues where it was. */
import { BATCH } from '../../../../src/limits.ts'
import { fetchOfService } from '../api/client.ts'
import { storedToken } from '../api/token.ts'
import {
  type Change,
  connect,
  etagOfCreation,
  type FailedRow,
  inspect,
  keepRow,
  personIn,
  type Reason,
  runImport,
  type SentRow,
  type State,
} from './engine.ts'
import { type ChosenFile, namedProducts, type Run, Stopped } from './run-state.ts'
import { type FailedLine, findRun, type KeptBatch, loadRows, saveChanges, saveRun } from './saved-runs.ts'
import { saveSent, undoValues } from './saved-undo.ts'

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
  const { file, source, rename, onExisting, only, aliases, splits, isNeverShorten, fingerprint, recognized } = chosen
  const inspection = await inspect(source, { rename, onBytes: () => signal.throwIfAborted() })
  show({ inspection })
  const isConfirmed = isDryRun || chosen.isRenaming || chosen.saved !== undefined
  if (onExisting === 'update' && inspection.sharedEmails?.renames.count && !isConfirmed)
    throw new Stopped('shared_emails')
  // The lock keeps other tabs from importing the same file. Two runs at once would each count the other's new users as
  // already existing.
  await navigator.locks.request(`registrar-import ${store} ${fingerprint}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) throw new Stopped('other_tab')
    const saved = isDryRun ? undefined : await findRun(store, fingerprint)
    // Rows that another tab has imported since this one chose the file would be sent again, and count as existing.
    if (!isDryRun && saved?.savedAt !== chosen.saved?.savedAt) throw new Stopped('changed_elsewhere')
    const key = { store, startedAt: saved?.startedAt ?? Date.now() }
    const kept = saved ? await loadRows(saved) : undefined
    const failed = createFailedLines(kept?.failed ?? [])
    let changes: Change[] = []
    let first = 0
    let batch: KeptBatch = { failed: [], created: [] }
    let sent: SentRow[] = []
    changes = kept?.changes ?? []
    show({ status: 'running', failed: failed.lines, changes, ...(saved && { state: saved.state }) })
    const timing = startTiming(saved?.state.next ?? 0)
    const client = connect({
      url: globalThis.location.origin,
      store,
      token,
      signal,
      fetch: fetchOfService,
      onWait: (milliseconds, reason) => {
        if (milliseconds >= 1000) show({ waiting: { reason, seconds: Math.ceil(milliseconds / 1000) } })
      },
    })
    await runImport({
      source,
      inspection,
      client,
      onExisting,
      only,
      neverShorten: isNeverShorten,
      dryRun: isDryRun,
      rename,
      products: namedProducts(chosen),
      splits,
      state: saved?.state,
      keeper: {
        keepChanges: async (found, { next }) => {
          const these = isDryRun ? found : await saveChanges(key, next, found)
          changes = withBatch(changes, these)
          return these
        },
        keepFailed: async (rows) => {
          batch.failed = rows.map((row) => toFailedLine(row, inspection.header, rename))
        },
        keepSent: async (rows, { next, lastId, since }) => {
          sent = rows
          await saveSent(key, next, { rows, lastId, since })
        },
        keepResults: async ({ created, uncompared, etags }) => {
          batch.created = created.map(({ row, item, id }) => ({
            line: row.line,
            id,
            person: personIn(item),
            etag: etagOfCreation(id),
            item: undoValues(item),
          }))
          batch.uncompared = sent
            .filter(({ line }) => uncompared.some((row) => row.line === line))
            .map(({ line, item }) => ({ line, item: undoValues(item) }))
          batch.etags = etags
        },
        // The rows of a batch and the state that counts them are saved together, or a crash between the two would lose
        // rows.
        saveState: async (state) => {
          const { dates, timeZone } = source
          const { headings } = recognized
          // The names of people are kept with their rows only, which go when somebody is erased.
          const { splits: _, ...saving } = inspection
          const reading = { inspection: saving, rename, dates, headings, timeZone }
          const settings = {
            fileName: file.name,
            fingerprint,
            ...reading,
            onExisting,
            only,
            aliases,
            splits,
            isNeverShorten,
          }
          if (!isDryRun) await saveRun({ ...key, ...settings, state, savedAt: Date.now(), isOver: false }, first, batch)
          failed.add(batch.failed)
          batch = { failed: [], created: [] }
          first = state.next
          if ((storedToken() ?? '') !== token) throw new Stopped('signed_out')
        },
      },
      onProgress: (state) => show({ state, failed: failed.lines, changes, waiting: undefined, ...timing(state) }),
    })
  })
}

/**
 * Adds what a batch changes. The first batch of a continued import may have been kept by the run before, and would be shown
 * twice.
 */
export function withBatch(changes: Change[], batch: Change[]): Change[] {
  const known = new Set(changes.slice(-BATCH.items).map(({ line }) => line))
  return [...changes, ...batch.filter(({ line }) => !known.has(line))]
}

function toFailedLine(
  { row, item, reasons, owner }: FailedRow,
  header: string[],
  rename: Record<string, string>,
): FailedLine {
  return {
    line: row.line,
    person: personIn(item),
    reasons,
    ...(owner !== undefined && { owner }),
    row: keepRow(row, header, rename),
  }
}

/**
 * Collects failed lines by their number. Lines that fail for the same reasons share one array, or a million of them
 * would fill the memory.
 */
function createFailedLines(first: FailedLine[]) {
  const lines = new Map<number, Pick<FailedLine, 'person' | 'reasons' | 'owner'>>()
  const shared = new Map<string, Reason[]>()
  const add = (failed: FailedLine[]): void => {
    for (const { line, person, reasons, owner } of failed) {
      const key = JSON.stringify(reasons)
      const sharedReasons = shared.get(key) ?? reasons
      shared.set(key, sharedReasons)
      lines.set(line, { person, reasons: sharedReasons, owner })
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
