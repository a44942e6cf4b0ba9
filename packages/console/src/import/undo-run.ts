/** Takes an import back that this browser has recorded, or says what would happen. */
import { storedToken } from '../api/token.ts'
import {
  addCounts,
  checkUndoToken,
  connect,
  dryRunService,
  liveService,
  noCounts,
  runUndo,
  type Stay,
  type UndoBatch,
  type UndoCounts,
  type UndoneBatch,
  type Who,
} from './engine.ts'
import { problemOf } from './problem-of.ts'
import { type Problem, Stopped } from './run-state.ts'
import { endRun, type SavedRun, saveUndoOf } from './saved-runs.ts'
import { forgetPeople, loadUndo, saveUndone } from './saved-undo.ts'

export interface UndoState {
  status: 'running' | 'done' | 'stopped'
  counts: UndoCounts
  /** The first ones, and how many there are. */
  stays: Stay[]
  stayCount: number
  mayErase: boolean
  /** From 0 to 1. */
  share: number
  problem?: Problem
  /** The record is of an older console, which has not kept what this needs. */
  isOld?: boolean
}

const SHOWN_STAYS = 50

export function newUndoState(): UndoState {
  return { status: 'running', counts: noCounts(), stays: [], stayCount: 0, mayErase: true, share: 0 }
}

interface Options {
  run: SavedRun
  isDryRun: boolean
  signal: AbortSignal
  show: (state: UndoState) => void
}

/** Shows its progress and its end, whatever happens. */
export async function startUndo({ run, isDryRun, signal, show }: Options): Promise<void> {
  let state = newUndoState()
  const update = (changes: Partial<UndoState>): void => {
    state = { ...state, ...changes }
    if (!signal.aborted) show(state)
  }
  try {
    const { store, fingerprint } = run
    // The import of the file must not go on meanwhile, in this tab or in another one.
    await navigator.locks.request(`registrar-import ${store} ${fingerprint}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) throw new Stopped('other_tab')
      const batches = await loadUndo(run)
      if (!batches) return update({ status: 'stopped', isOld: true })
      await undoAll({ run, isDryRun, signal, batches, update, current: () => state })
      update({ status: 'done' })
    })
  } catch (error) {
    if (!signal.aborted) update({ status: 'stopped', problem: problemOf(error) })
  }
}

interface Running extends Omit<Options, 'show'> {
  batches: UndoBatch[]
  update: (changes: Partial<UndoState>) => void
  current: () => UndoState
}

async function undoAll({ run, isDryRun, signal, batches, update, current }: Running): Promise<void> {
  const { store } = run
  const client = connect({ url: globalThis.location.origin, store, token: storedToken() ?? '', signal })
  const needs = {
    hasCreated: batches.some(({ created }) => created.length > 0),
    hasAccesses: batches.some(({ changes }) => changes.some(({ accesses = [] }) => accesses.length > 0)),
  }
  update({ mayErase: await checkUndoToken(client, needs) })
  if (!isDryRun) await endRun(run)
  const record = keepRecord(run, isDryRun)
  let done = 0
  try {
    await runUndo({
      client,
      service: (isDryRun ? dryRunService : liveService)(client, true),
      mayErase: current().mayErase,
      batches: fromList(batches),
      onStay: (stay) => {
        const { stays, stayCount } = current()
        update({ stays: stayCount < SHOWN_STAYS ? [...stays, stay] : stays, stayCount: stayCount + 1 })
      },
      onErased: record.erased,
      keepUndone: async (first, undone) => {
        const counts = addCounts(current().counts, undone.counts)
        update({ counts, share: ++done / batches.length })
        await record.undone(first, undone)
      },
    })
  } finally {
    await record.save()
  }
  const { counts, stayCount } = current()
  if (!isDryRun) await saveUndoOf(run, { counts: addCounts(run.undo?.counts ?? noCounts(), counts), stays: stayCount })
}

/** So many batches are saved at once: whoever was erased is looked for in all records. */
const SAVED_AT_ONCE = 20

/** If the tab is closed before they are saved, the next undo finds their people erased, and saves that. */
function keepRecord(run: SavedRun, isDryRun: boolean) {
  let people: Who[] = []
  let batches: { first: number; undone: UndoneBatch }[] = []
  async function save(): Promise<void> {
    const [erased, undone] = [people, batches]
    people = []
    batches = []
    if (isDryRun) return
    // In this order, or a crash could leave people in a batch that is not looked at again.
    await forgetPeople(run.store, erased)
    for (const each of undone) await saveUndone(run, each.first, each.undone)
  }
  return {
    save,
    erased: (who: Who) => void people.push(who),
    async undone(first: number, undone: UndoneBatch) {
      batches.push({ first, undone })
      if (batches.length >= SAVED_AT_ONCE) await save()
    },
  }
}

async function* fromList(batches: UndoBatch[]): AsyncGenerator<UndoBatch> {
  yield* batches
}
