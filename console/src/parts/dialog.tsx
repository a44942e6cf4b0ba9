import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Change } from '../api/changes.ts'
import type { FormErrors } from '../forms/form-errors.ts'
import { useInvalidFocus } from '../forms/use-invalid-focus.ts'
import { useWords } from '../words/index.tsx'
import classes from './dialog.module.css'
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
  /** The fields that the form shows. It is not sent while one of them is invalid. */
  errors?: FormErrors
  onSubmit: () => void
  onCancel: () => void
  /** Makes the button red, for a change that takes something away. */
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

export function DialogForm({ action, change, errors, onSubmit, onCancel, children, ...props }: FormProps) {
  const words = useWords()
  const [attempts, setAttempts] = useState(0)
  const failedRequest = change.failure?.requestId
  const isRejected = attempts > 0 || failedRequest !== undefined
  const form = useInvalidFocus(isRejected ? `${attempts} ${failedRequest}` : undefined)
  const { isDangerous = false, isDisabled = false } = props
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isDisabled) return
        if (errors === undefined || errors.check()) onSubmit()
        else setAttempts(attempts + 1)
      }}
    >
      <Stack>
        {children}
        <FailureNote error={change.failure} {...(errors && { known: errors.fields })} />
        <Group justify="end" className={classes['buttons'] ?? ''}>
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
