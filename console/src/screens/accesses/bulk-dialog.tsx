import { Modal } from '@mantine/core'
import { useMediaQuery, useMounted } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useLeaveGuard } from '../../parts/use-leave-guard.ts'
import { useWords } from '../../words/index.tsx'
import { BulkRows } from './bulk-rows.tsx'
import { ExtendForm } from './extend-form.tsx'
import { useBulk } from './use-bulk.ts'

export type Task = 'extend' | 'close' | 'reopen'

export interface Job {
  task: Task
  ids: string[]
}

interface Props {
  store: string
  /** Undefined: closed. It stays mounted then, so that it can give the focus back. */
  job: Job | undefined
  onClose: () => void
  /** Something was changed. */
  onDone: () => void
}

/** Extends, closes or reopens what was selected: first what will change, then the change, then what came of each. */
export function BulkDialog({ store, job, onClose, onDone }: Props) {
  const { accesses, common } = useWords()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  // One that is open from its first moment would not know whom to give the focus back to.
  const isMounted = useMounted()
  const bulk = useBulk(store)
  const { phase, read } = bulk
  useLeaveGuard(phase === 'running')
  const begun = useRef<Job>(undefined)
  useEffect(() => {
    if (job === undefined || begun.current === job) return
    begun.current = job
    // What needs no further answer is read at once.
    if (job.task !== 'extend') void read(job.ids, { kind: job.task })
  })
  const close = () => {
    bulk.reset()
    if (phase === 'over') onDone()
    onClose()
  }
  const isChoosing = phase === 'choosing' && job?.task === 'extend'
  return (
    <Modal
      opened={isMounted && job !== undefined}
      onClose={close}
      title={job && accesses.taskOf[job.task](job.ids.length)}
      size={isChoosing ? 'md' : 'min(72rem, 100%)'}
      fullScreen={isNarrow}
      // A slip must not end what is under way.
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
