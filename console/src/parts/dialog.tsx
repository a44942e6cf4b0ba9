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

/**
 * The dialog stays mounted while it is closed, or it could not return the focus. Its content is mounted anew each time
 * it opens.
 */
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
  /** The text of the button, a verb. */
  action: string
  change: Pick<Change<never>, 'isRunning' | 'failure'>
  /** The fields whose errors the form shows next to their inputs. */
  known?: string[]
  onSubmit: () => void
  onCancel: () => void
  /** Makes the button red, for a change that cannot be undone. */
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

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
