import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Change } from '../api/changes.ts'
import { useWords } from '../words/index.tsx'
import { FailureNote } from './failure-note.tsx'

interface DialogProps extends Pick<ModalProps, 'size'> {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** Stays mounted, so that it can give the focus back; what is in it begins anew each time it is opened. */
export function Dialog({ title, isOpen, onClose, children, ...props }: DialogProps) {
  const words = useWords()
  return (
    <Modal
      {...props}
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': words.common.close }}
    >
      {children}
    </Modal>
  )
}

interface FormProps {
  /** What the button does, in a word. */
  action: string
  change: Pick<Change<never>, 'isRunning' | 'failure'>
  /** Fields whose errors stand beside their inputs. */
  known?: string[]
  onSubmit: () => void
  onCancel: () => void
  /** Red, for what cannot be undone. */
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** The form in a dialog: its inputs, why it was refused, and its buttons. */
export function DialogForm({ action, change, known, onSubmit, onCancel, children, ...props }: FormProps) {
  const words = useWords()
  const { isDangerous = false, isDisabled = false } = props
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDisabled) onSubmit()
      }}
    >
      <Stack>
        {children}
        <FailureNote error={change.failure} {...(known && { known })} />
        <Group justify="end">
          <Button variant="default" onClick={onCancel}>
            {words.common.cancel}
          </Button>
          <Button
            type="submit"
            {...(isDangerous && { color: 'red.9' })}
            loading={change.isRunning}
            disabled={isDisabled}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
