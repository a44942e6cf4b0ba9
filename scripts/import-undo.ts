/**
 * `npm run import -- --undo FILE.state` takes an import back. Exit codes: 0 all of it, 1 some of it stays, 2 nothing was
 * changed, 3 stopped before the end, 130 interrupted.
 */
import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { sleep } from 'registrar-client'
import { checkUndoToken } from '../packages/import/undo-token.ts'
import { runUndo } from '../packages/import/undo.ts'
import { dryRunService, liveService } from '../packages/import/undo-service.ts'
import type { JournalHead } from './import-journal.ts'
import { loadSaved } from './import-files.ts'
import { Stop, type UndoOptions } from './import-options.ts'
import { connectOrStop, lockOrStop, toStop } from './import-stop.ts'
import { startProgress } from './progress.ts'
import { openUndoJournal, type UndoJournal } from './undo-journal.ts'
import { summaryText, stayList } from './undo-output.ts'

/** A batch takes less. */
const BATCH_MS = 3000

export async function runUndoCommand(options: UndoOptions, signal: AbortSignal): Promise<number> {
  const { undo: path, token, isDryRun } = options
  // An import that is still running writes into the same journal.
  if (!isDryRun) lockOrStop(path.replace(/\.state$/, ''))
  const journal = await openOrStop(path, isDryRun)
  try {
    const { store, url } = originOf(path, journal.head, options)
    const progress = startProgress('batches')
    const client = connectOrStop({ url, store, token, signal, onWait: progress.wait })
    let isBegun = false
    try {
      const { needs, head } = journal
      const mayErase = await checkUndoToken(client, needs)
      await waitForLastBatch(journal.unansweredAt, signal)
      if (!isDryRun) forgetProgress(path, head)
      isBegun = !isDryRun
      const stays = stayList(path, isDryRun)
      const hasAccesses = needs.hasCreated || needs.hasAccesses
      let done = 0
      await runUndo({
        client,
        service: isDryRun ? dryRunService(client, hasAccesses) : liveService(client, hasAccesses),
        mayErase,
        batches: journal.batches(),
        onStay: stays.add,
        onErased: ({ id }) => journal.forget(id),
        keepUndone: async (first, undone) => {
          await journal.keepUndone(first, undone)
          progress.show(++done, journal.left)
        },
      })
      await journal.finish()
      progress.end()
      console.log(summaryText(journal.counts(), stays.count(), { isDryRun, mayErase, needs }))
      if (head.before > 0)
        console.log(`Rows 1 to ${head.before} are not in ${basename(path)}, so they stay as they are.`)
      stays.print()
      return stays.count() > 0 ? 1 : 0
    } catch (error) {
      progress.end()
      throw toStop(error, isBegun)
    }
  } finally {
    await journal.close()
  }
}

/** Of an import that has just been killed, the service may still carry out the last batch, which nothing would take back. */
async function waitForLastBatch(sentAt: number | undefined, signal: AbortSignal): Promise<void> {
  const rest = sentAt === undefined ? 0 : sentAt + BATCH_MS - Date.now()
  if (rest <= 0) return
  const pause = Math.min(rest, BATCH_MS)
  console.error(`The last batch of the import may still be under way. Waiting ${Math.ceil(pause / 1000)} s.`)
  await sleep(pause, signal)
}

async function openOrStop(path: string, isDryRun: boolean): Promise<UndoJournal> {
  if (!existsSync(path)) throw new Stop(2, `There is no ${path}. An import that has changed something leaves it.`)
  try {
    const journal = await openUndoJournal(path, isDryRun)
    if (journal) return journal
  } catch (error) {
    if (!(error instanceof Error && ('code' in error || error instanceof SyntaxError))) throw error
    throw new Stop(2, `${path} cannot be read: ${error.message}\nNothing was changed.`)
  }
  throw new Stop(2, `${path} ${isProgress(path) ? OLD_STATE : 'is not what an import has left in FILE.state.'}`)
}

const OLD_STATE = `is the progress of an import that has not ended, and does not say what the import has changed. That is in FILE.state
beside it. An import by a version before 3.1.0 has left none, so it cannot be taken back by this command.`

function isProgress(path: string): boolean {
  try {
    return loadSaved(path) !== undefined
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** In another store or database, the ids are those of other people. */
function originOf(path: string, { run }: JournalHead, options: UndoOptions): { store: string; url: string } {
  for (const name of ['store', 'url'] as const) {
    const given = options[name]
    if (given !== undefined && given !== run[name])
      throw new Stop(2, `${path} belongs to an import with --${name} ${run[name]}, not ${given}.\nNothing was changed.`)
  }
  return run
}

/** Otherwise the next run of an import that has not ended would import the rest of its rows only. */
function forgetProgress(path: string, { run_id: runId }: JournalHead): void {
  const progress = `${path.replace(/\.state$/, '')}.registrar-import.json`
  try {
    if (loadSaved(progress)?.run_id === runId) rmSync(progress)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}
