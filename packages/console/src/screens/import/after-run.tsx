import { Group } from '@mantine/core'
import type { Job } from '../../import/job.ts'
import { listRuns, type SavedRun } from '../../import/saved-runs.ts'
import { useWords } from '../../words/index.tsx'
import { ForgetButton } from './forget-button.tsx'
import { TakeBackButton } from './take-back.tsx'

/** What can be done with the file of an import that has ended: take it back, or read the file again, such as another sheet. */
export function AfterRun({ job, run }: { job: Job; run: SavedRun }) {
  const words = useWords()
  /** The list of imports says what was taken back. */
  async function showRecords() {
    const now = (await listRuns(run.store)).find(({ startedAt }) => startedAt === run.startedAt)
    if (now?.undo !== undefined) job.clear()
  }
  return (
    <Group>
      <TakeBackButton run={run} onClose={() => void showRecords()} />
      <ForgetButton job={job} label={words.import.readAgain} />
    </Group>
  )
}
