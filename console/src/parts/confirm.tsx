import type { ReactNode } from 'react'
import type { Change } from '../api/changes.ts'
import { Dialog, DialogForm } from './dialog.tsx'

interface Props {
  title: string
  /** What the button does, in a word. */
  action: string
  isOpen: boolean
  onClose: () => void
  change: Change<void>
  /** Red, for what cannot be undone. */
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** Asks before a change, and shows why it was refused. */
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
