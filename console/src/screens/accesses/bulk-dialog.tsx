import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useWords } from '../../words/index.tsx'
import { BulkRows } from './bulk-rows.tsx'
import { ExtendForm } from './extend-form.tsx'
import { useBulk } from './use-bulk.ts'

export type Task = 'extend' | 'close' | 'reopen'

interface Props {
  store: string
  task: Task
  ids: string[]
  onClose: () => void
  /** Something was changed. */
  onDone: () => void
}

/** Extends, closes or reopens what was selected: first what will change, then the change, then what came of each. */
export function BulkDialog({ store, task, ids, onClose, onDone }: Props) {
  const { accesses } = useWords()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const bulk = useBulk(store)
  const { phase, read } = bulk
  const hasBegun = useRef(false)
  useEffect(() => {
    // What needs no further answer is read at once.
    if (task === 'extend' || hasBegun.current) return
    hasBegun.current = true
    void read(ids, { kind: task })
  })
  const close = () => {
    bulk.stop()
    if (phase === 'over') onDone()
    onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={accesses.taskOf[task](ids.length)}
      size="min(64rem, 100%)"
      fullScreen={isNarrow}
      // A slip must not end what is under way.
      closeOnClickOutside={phase === 'choosing'}
      closeOnEscape={phase !== 'running'}
      withCloseButton={phase !== 'running'}
      closeButtonProps={{ 'aria-label': accesses.closeDialog }}
    >
      {phase === 'choosing' && task === 'extend' ? (
        <ExtendForm onCancel={close} onChosen={(change) => void read(ids, change)} />
      ) : (
        <BulkRows bulk={bulk} task={task} onClose={close} />
      )}
    </Modal>
  )
}
