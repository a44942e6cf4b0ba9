/**
 * An import of one store, apart from its screen: it goes on while the operator looks at other screens, and the screen
 * finds it again. It ends with the tab or with the session; what is done by then is kept in saved-runs.ts.
 */
import { storedToken } from '../api/token.ts'
import type { Inspection, OnExisting, State } from './engine.ts'
import { fingerprintOf, type Head, readHead, sourceOf } from './file.ts'
import { type FailedLines, noFailedLines, startRun, Stopped } from './runs.ts'
import { findRun, removeRun, type SavedRun } from './saved-runs.ts'

export interface ChosenFile {
  file: File
  head: Head
  fingerprint: number
  rename: Record<string, string>
  onExisting: OnExisting
  /** What is known of an import of this very file. */
  saved?: SavedRun
}

export interface Run {
  isDryRun: boolean
  /** `checking`: the file is read once as a whole before anything is sent. */
  status: 'checking' | 'running' | 'paused' | 'stopped' | 'done'
  inspection?: Inspection
  state?: State
  failed: FailedLines
  /** Rows a second, of this stretch. */
  rate: number
  secondsLeft?: number
  /** Why nothing moves just now. */
  waiting?: { reason: string; seconds: number } | undefined
  /** Why it has stopped. */
  problem?: Problem
}

/** In the words of the engine, or by its code in ours. */
export type Problem = { text: string } | { code: Stopped['code'] }

export interface Snapshot {
  /** The share of the file that has been read, while it is being read for the first time. */
  reading?: number
  /** Why the file cannot be taken. */
  problem?: Problem
  chosen?: ChosenFile
  run?: Run
}

export interface Job {
  subscribe: (listener: () => void) => () => void
  snapshot: () => Snapshot
  choose: (file: File, guess: (head: Head) => Record<string, string>) => Promise<void>
  /** Forgets the file, never what is kept of a run. */
  leave: () => void
  change: (changes: Partial<Pick<ChosenFile, 'rename' | 'onExisting'>>) => void
  start: (isDryRun: boolean) => Promise<void>
  pause: () => void
  /** Forgets what is kept of a run of this file. */
  forget: () => Promise<void>
}

const jobs = new Map<string, { token: string | null; job: Job }>()

/** The one of this store, of this session. */
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
  const listeners = new Set<() => void>()
  const show = (next: Snapshot): void => {
    current = next
    listeners.forEach((listener) => listener())
  }
  const showRun = (changes: Partial<Run>): void => {
    if (current.run) show({ ...current, run: { ...current.run, ...changes } })
  }
  const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault()

  async function choose(file: File, guess: (head: Head) => Record<string, string>): Promise<void> {
    show({ reading: 0 })
    try {
      const source = sourceOf(file)
      const head = await readHead(source)
      const fingerprint = await fingerprintOf(source, (bytes) => show({ reading: bytes / Math.max(1, file.size) }))
      const saved = await findRun(store, fingerprint)
      const settings = saved ?? { rename: guess(head), onExisting: 'fail' as const }
      const { rename, onExisting } = settings
      show({ chosen: { file, head, fingerprint, rename, onExisting, ...(saved && { saved }) } })
    } catch (error) {
      show({ problem: problemOf(error) })
    }
  }

  async function start(isDryRun: boolean): Promise<void> {
    const { chosen } = current
    if (chosen === undefined || stop !== undefined) return
    const controller = new AbortController()
    stop = controller
    show({ ...current, run: { isDryRun, status: 'checking', failed: noFailedLines(), rate: 0 } })
    globalThis.addEventListener('beforeunload', onLeave)
    try {
      await startRun({ store, chosen, isDryRun, signal: controller.signal, show: showRun })
      await end(isDryRun, { status: 'done' })
    } catch (error) {
      const isPaused = controller.signal.aborted
      await end(isDryRun, isPaused ? { status: 'paused' } : { status: 'stopped', problem: problemOf(error) })
    } finally {
      globalThis.removeEventListener('beforeunload', onLeave)
      stop = undefined
    }
  }

  /** What the run has kept is what the next one goes on from. */
  async function end(isDryRun: boolean, outcome: Partial<Run>): Promise<void> {
    const { chosen } = current
    const saved = chosen && !isDryRun ? await findRun(store, chosen.fingerprint) : undefined
    if (chosen && saved) show({ ...current, chosen: { ...chosen, saved } })
    showRun({ ...outcome, waiting: undefined })
  }

  return {
    choose,
    start,
    snapshot: () => current,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    leave: () => show({}),
    change: (changes) => {
      // What was said of the former columns holds no longer.
      if (current.chosen) show({ chosen: { ...current.chosen, ...changes } })
    },
    pause: () => stop?.abort(),
    forget: async () => {
      const { chosen } = current
      if (chosen === undefined) return
      await removeRun(store, chosen.fingerprint)
      const { saved: _, ...rest } = chosen
      show({ chosen: rest })
    },
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Stopped) return { code: error.code }
  return { text: error instanceof Error ? error.message : String(error) }
}
