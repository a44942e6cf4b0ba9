import '@mantine/dropzone/styles.css'
import { useMemo, useSyncExternalStore } from 'react'
import { jobOf } from '../../import/job.ts'
import { Empty } from '../../parts/empty.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { ChooseFile } from './choose-file.tsx'
import { FileCard } from './file-card.tsx'
import { RunCard } from './run-card.tsx'
import { Settings } from './settings.tsx'

/** Imports users from a file, with the engine of `npm run import`. */
export function Import() {
  const words = useWords()
  const { operator, can } = useSession()
  return (
    <Screen title={words.import.title}>
      {can('users:write') && <Steps />}
      {operator && !can('users:write') && <Empty text={words.import.viewer} />}
    </Screen>
  )
}

function Steps() {
  const store = useStore()
  const job = useMemo(() => jobOf(store), [store])
  const { chosen, run, problem, reading } = useSyncExternalStore(job.subscribe, job.snapshot)
  if (!chosen) return <ChooseFile store={store} job={job} problem={problem} reading={reading} />
  const isBusy = run?.status === 'checking' || run?.status === 'running'
  const isReal = run !== undefined && !run.isDryRun
  return (
    <>
      <FileCard job={job} chosen={chosen} isBusy={isBusy} isShownBelow={isReal} />
      {!chosen.saved && !(isReal && isBusy) && (
        <Settings store={store} job={job} chosen={chosen} run={run} problem={problem} isBusy={isBusy} />
      )}
      {run && <RunCard job={job} chosen={chosen} run={run} />}
    </>
  )
}
