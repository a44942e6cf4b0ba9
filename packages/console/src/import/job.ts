/**
 * The import of one store. It is separate from its screen: it continues while the operator uses other screens, and the
 * screen finds it again. It ends with the tab or the session; what was done by then is kept in saved-runs.ts.
 */
import { storedToken } from '../api/token.ts'
import { withChoices } from './choices.ts'
import {
  type Correction,
  type CustomField,
  type DateOrder,
  guessColumns,
  type Product,
  readHead,
  recognize,
  type Recognized,
  valuesIn,
} from './engine.ts'
import { survey, surveyColumns } from './file.ts'
import { problemOf } from './problem-of.ts'
import { sourceOf } from './file-source.ts'
import { type ChosenFile, type Dates, noFailedLines, type Problem, type Run } from './run-state.ts'
import { startRun } from './runs.ts'
import { readInWorker } from './sheet-reader.ts'
import { endRun, findRun, type SavedRun } from './saved-runs.ts'

export interface Snapshot {
  /** The share of the file that has been read, while the file is read for the first time. */
  reading?: number
  /** Set if the file cannot be read. If it is `chosen` already, it could not be read again with a correction. */
  problem?: Problem
  chosen?: ChosenFile
  run?: Run
}

export interface Job {
  subscribe: (listener: () => void) => () => void
  snapshot: () => Snapshot
  choose: (file: File, store: StoreFacts) => Promise<void>
  /** Reads the chosen file again, in another encoding, with another delimiter or from another sheet. */
  correct: (correction: Correction) => Promise<void>
  /** Stops reading a file that has just been chosen. */
  stopReading: () => void
  /** Returns to the choice of a file. Saved runs are kept. */
  clear: () => void
  change: (
    changes: Partial<
      Pick<ChosenFile, 'rename' | 'onExisting' | 'only' | 'aliases' | 'splits' | 'isNeverShorten' | 'isRenaming'>
    >,
  ) => void
  chooseDates: (order: DateOrder) => void
  start: (isDryRun: boolean) => Promise<void>
  pause: () => void
  /** The saved run of this file is not continued. */
  forget: () => Promise<void>
}

/** What the reading of a file depends on. */
export interface StoreFacts {
  customFields: CustomField[]
  products: Product[]
  /** The order of day and month that is likely in the store's language. */
  dates: DateOrder
  /** In which its days are. */
  timeZone?: string
}

const NO_DATES: Dates = { order: undefined, unclear: undefined }
const jobs = new Map<string, { token: string | null; job: Job }>()

/**
 * Returns the job of the store. A new session gets a new job, because the old one would continue with the token of
 * another operator.
 */
export function jobOf(store: string): Job {
  const token = storedToken()
  const found = jobs.get(store)
  if (found?.token === token && found !== undefined) return found.job
  found?.job.pause()
  const job = createJob(store)
  jobs.set(store, { token, job })
  return job
}

function createJob(store: string): Job {
  let current: Snapshot = {}
  let stop: AbortController | undefined
  let again: ((correction: Correction) => Promise<void>) | undefined
  let stopReading: AbortController | undefined
  /** Ends the worker that reads the chosen file. */
  let closeFile = (): void => {}
  let likelyDates: DateOrder = 'dmy'
  /** The fields that the operator chose for columns of earlier files, by the format of the file. */
  const choices = { csv: new Map<string, string>(), ndjson: new Map<string, string>() }
  /** The products that the operator chose for texts of earlier files. */
  let aliases: Record<string, string> = {}
  const listeners = new Set<() => void>()
  const show = (next: Snapshot): void => {
    current = next
    listeners.forEach((listener) => listener())
  }
  const showRun = (changes: Partial<Run>): void => {
    if (current.run) show({ ...current, run: { ...current.run, ...changes } })
  }
  const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

  async function choose(file: File, facts: StoreFacts, correction: Correction = {}): Promise<void> {
    // Two files that are dropped at once would both be read, and the slower one would replace the other.
    if (current.reading !== undefined) return
    const { problem: _, ...before } = current
    const reading = new AbortController()
    stopReading = reading
    show({ reading: 0 })
    // What comes before the rows takes about as long as they do.
    const showShare = (share: number): void => show({ reading: Math.min(1, share) })
    const open = readInWorker(file, (share) => showShare(share / 2), reading.signal)
    try {
      const { source: recognizedSource, ...recognized } = await recognize(sourceOf(file), correction, open)
      const source = { ...recognizedSource, timeZone: facts.timeZone ?? 'UTC' }
      const head = await readHead(source)
      const isWorkbook = recognized.kind === 'workbook'
      const { fingerprint, hiddenRows } = await survey(source, (bytes) => {
        reading.signal.throwIfAborted()
        const share = bytes / Math.max(1, source.size)
        showShare(isWorkbook ? 0.5 + share / 2 : share)
      })
      const saved = await findRun(store, fingerprint)
      if (saved && !isReadAs(saved, recognized)) {
        const { headings, inspection } = saved
        reading.abort()
        show({})
        return await choose(file, facts, { ...correction, headings, delimiter: inspection.delimiter })
      }
      const { products } = facts
      const guess = guessColumns(head.columns, head.format, facts.customFields, valuesIn(head))
      const rename = withChoices(guess.fields, choices[head.format])
      const { unclear } = guess
      const read = {
        file,
        source,
        recognized,
        head,
        fingerprint,
        hiddenRows,
        products,
        rename,
        unclear,
        dates: NO_DATES,
      }
      const chosen = {
        ...read,
        unknown: [],
        aliases,
        splits: {},
        onExisting: 'fail' as const,
        isNeverShorten: false,
        isRenaming: false,
      }
      closeFile()
      closeFile = () => reading.abort()
      again = (changes) => choose(file, facts, { ...correction, ...changes })
      likelyDates = facts.dates
      show({ chosen: saved ? withRun(chosen, saved) : await surveyed(chosen, likelyDates) })
    } catch (error) {
      // After a wrong correction, the file stays as it was read before, or the operator would have to choose it again.
      // A file that cannot be read like this may be read in another way, as may one that is read already.
      if (!before.chosen) again = (changes) => choose(file, facts, { ...correction, ...changes })
      const isStopped = reading.signal.aborted
      reading.abort()
      show(isStopped ? before : { ...before, problem: problemOf(error) })
    }
  }

  /** Another column may have the due dates, the products or the names now. */
  async function surveyAgain(chosen: ChosenFile): Promise<void> {
    const next = await surveyed(chosen, likelyDates)
    const now = current.chosen
    if (now?.file !== chosen.file || now.rename !== chosen.rename) return
    const { unknown, wholeNames } = next
    const isSameOrder = now.dates === chosen.dates
    show({ ...current, chosen: { ...(isSameOrder ? readWithDates(now, next.dates) : now), unknown, wholeNames } })
  }

  async function start(isDryRun: boolean): Promise<void> {
    const { chosen } = current
    if (chosen === undefined || stop !== undefined) return
    const controller = new AbortController()
    stop = controller
    show({ chosen, run: { isDryRun, status: 'checking', failed: noFailedLines(), changes: [], rate: 0 } })
    globalThis.addEventListener('beforeunload', preventUnload)
    try {
      await startRun({ store, chosen, isDryRun, signal: controller.signal, show: showRun })
      await finish(isDryRun, { status: 'done' })
    } catch (error) {
      const isPaused = controller.signal.aborted
      await finish(isDryRun, isPaused ? { status: 'paused' } : { status: 'stopped', problem: problemOf(error) })
    } finally {
      globalThis.removeEventListener('beforeunload', preventUnload)
      stop = undefined
    }
  }

  /** Loads what the run has saved, because the next run continues from there. */
  async function finish(isDryRun: boolean, outcome: Partial<Run>): Promise<void> {
    if (current.chosen && !isDryRun) {
      const { saved: _, ...chosen } = current.chosen
      const saved = await findRun(store, chosen.fingerprint)
      show({ ...current, chosen: saved ? withRun(chosen, saved) : chosen })
    }
    showRun({ ...outcome, waiting: undefined })
  }

  return {
    choose,
    correct: async (changes) => again?.(changes),
    start,
    snapshot: () => current,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stopReading: () => stopReading?.abort(),
    clear: () => {
      closeFile()
      show({})
    },
    change: (changes) => {
      // The result of the last run is dropped, because it belongs to the previous mapping.
      if (!current.chosen) return
      const { head, rename } = current.chosen
      for (const [column, field] of Object.entries(changes.rename ?? {}))
        if (rename[column] !== field) choices[head.format].set(column, field)
      const chosen = { ...current.chosen, ...changes }
      aliases = chosen.aliases
      show({ chosen })
      if (changes.rename) void surveyAgain(chosen)
    },
    chooseDates: (order) => {
      if (current.chosen) show({ chosen: readWithDates(current.chosen, { order, unclear: undefined }) })
    },
    pause: () => stop?.abort(),
    forget: async () => {
      const { chosen } = current
      if (chosen === undefined) return
      const { saved, ...rest } = chosen
      if (saved) await endRun(saved)
      show({ chosen: rest })
    },
  }
}

/** Without a proof in the file, the likely order is proposed. */
async function surveyed(chosen: ChosenFile, likely: DateOrder): Promise<ChosenFile> {
  const { dates, ...found } = await surveyColumns(chosen.source, chosen)
  const { hasDates, order, example } = dates
  if (!hasDates) return readWithDates({ ...chosen, ...found }, NO_DATES)
  return readWithDates(
    { ...chosen, ...found },
    { order: order ?? likely, unclear: order === undefined ? example : undefined },
  )
}

function readWithDates(chosen: ChosenFile, dates: Dates): ChosenFile {
  return { ...chosen, source: { ...chosen.source, dates: dates.order }, dates }
}

/** Otherwise its rows and columns would be others than those that were imported. */
function isReadAs({ headings, inspection }: SavedRun, recognized: Recognized): boolean {
  return recognized.headings === headings && recognized.delimiter === inspection.delimiter
}

/** A run continues with the settings that it was started with. */
function withRun(chosen: ChosenFile, saved: SavedRun): ChosenFile {
  const { rename, onExisting, only, aliases = {}, splits = {}, dates: order, isNeverShorten = false } = saved
  const settings = { rename, onExisting, only, aliases, splits, isNeverShorten }
  return { ...readWithDates(chosen, { order, unclear: undefined }), ...settings, saved }
}
