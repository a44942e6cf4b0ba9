import type { ReactNode } from 'react'
import type { Change } from '../api/changes.ts'
import { Dialog, DialogForm } from './dialog.tsx'

interface Props {
  title: string
  /** The text of the button, a verb. */
  action: string
  isOpen: boolean
  onClose: () => void
  change: Change<void>
  /** Makes the button red, for a change that cannot be undone. */
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** Asks before a change is sent, and shows the failure if it is rejected. */
export function Confirm({ title, isOpen, onClose, change, children, ...props }: Props) {
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <DialogForm {...props} change={change} onSubmit={() => change.run()} onCancel={close}>
        {children}
      </DialogForm>
    </Dialog>
  )
}
