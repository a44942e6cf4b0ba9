import { Modal } from '@mantine/core'
import { useMediaQuery, useMounted } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useLeaveGuard } from '../../parts/use-leave-guard.ts'
import { useWords } from '../../words/index.tsx'
import type { BulkJob } from './bulk-job.ts'
import { BulkRows } from './bulk-rows.tsx'
import { ExtendForm } from './extend-form.tsx'
import { useBulk } from './use-bulk.ts'

interface Props {
  store: string
  /** Undefined while the dialog is closed. It stays mounted then, or it could not return the focus. */
  job: BulkJob | undefined
  onClose: () => void
  /** Called after a run that may have changed accesses. */
  onDone: () => void
}

/**
 * Extends, closes or reopens the selected accesses. It shows what would change, runs the change, and shows the result
 * of each access.
 */
export function BulkDialog({ store, job, onClose, onDone }: Props) {
  const { accesses, common } = useWords()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  // A dialog that is open when it is mounted does not know which element had the focus before, and could not return it.
  const isMounted = useMounted()
  const bulk = useBulk(store)
  const { phase, read } = bulk
  useLeaveGuard(phase === 'running')
  const startedJob = useRef<BulkJob>(undefined)
  useEffect(() => {
    if (job === undefined || startedJob.current === job) return
    startedJob.current = job
    // Closing and reopening need no form, so the accesses are read at once.
    if (job.task !== 'extend') void read(job.ids, { kind: job.task })
  })
  const close = () => {
    bulk.reset()
    if (phase === 'finished') onDone()
    onClose()
  }
  const isChoosing = phase === 'choosing' && job?.task === 'extend'
  return (
    <Modal
      opened={isMounted && job !== undefined}
      onClose={close}
      title={job && accesses.taskTitle[job.task](job.ids.length)}
      size={isChoosing ? 'md' : 'min(72rem, 100%)'}
      fullScreen={isNarrow}
      // A click next to the dialog must not end a run.
      closeOnClickOutside={isChoosing}
      closeOnEscape={phase !== 'running'}
      withCloseButton={phase !== 'running'}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {job && isChoosing && <ExtendForm onCancel={close} onChosen={(change) => void read(job.ids, change)} />}
      {job && !isChoosing && <BulkRows bulk={bulk} task={job.task} onClose={close} />}
    </Modal>
  )
}
