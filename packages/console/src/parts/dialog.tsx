import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Change } from '../api/changes.ts'
import type { FormErrors } from '../forms/form-errors.ts'
import { useInvalidFocus } from '../forms/use-invalid-focus.ts'
import { useWords } from '../words/index.tsx'
import classes from './dialog.module.css'
import { FailureNote } from './failure-note.tsx'
import { hasUnmatchedText } from './search-select.tsx'

interface DialogProps extends Pick<ModalProps, 'size'> {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

interface Typing {
  /** Is called when something is typed. From then on, the dialog is not closed by accident. */
  onInput: () => void
  /** Undefined unless the operator is asked whether what was typed may be lost. */
  question: { discard: () => void; keep: () => void } | undefined
}

const TypingContext = createContext<Typing>({ onInput: () => {}, question: undefined })

/**
 * The dialog stays mounted while it is closed, or it could not return the focus. Its content is mounted anew each time
 * it opens. A click beside a form that was typed into, Escape, and the browser's back button ask first.
 */
export function Dialog({ title, isOpen, onClose, children, ...props }: DialogProps) {
  const words = useWords()
  const [isTyped, setTyped] = useState(false)
  const [isAsking, setAsking] = useState(false)
  if (!isOpen && (isTyped || isAsking)) {
    setTyped(false)
    setAsking(false)
  }
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      setAsking(true)
      return true
    },
    disabled: !isTyped,
    enableBeforeUnload: false,
  })
  const typing = useMemo<Typing>(
    () => ({
      onInput: () => setTyped(true),
      question: isAsking ? { discard: onClose, keep: () => setAsking(false) } : undefined,
    }),
    [isAsking, onClose],
  )
  return (
    <Modal
      {...props}
      opened={isOpen}
      onClose={() => (isTyped ? setAsking(true) : onClose())}
      title={title}
      closeButtonProps={{ 'aria-label': words.common.close }}
    >
      <TypingContext value={typing}>{children}</TypingContext>
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
  const { onInput, question } = useContext(TypingContext)
  const { isDangerous = false, isDisabled = false } = props
  return (
    <form
      ref={form}
      noValidate
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault()
        if (isDisabled) return
        const isValid = errors === undefined || errors.check()
        if (isValid && !hasUnmatchedText(form.current)) onSubmit()
        else setAttempts(attempts + 1)
      }}
    >
      <Stack>
        {children}
        <DialogFooter>
          <FailureNote error={change.failure} {...(errors && { known: errors.fields })} />
          {question ? (
            <Question {...question} />
          ) : (
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
          )}
        </DialogFooter>
      </Stack>
    </form>
  )
}

/** The messages and buttons of a dialog, which stay in view however long it is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" className={classes['footer'] ?? ''}>
      {children}
    </Stack>
  )
}

function Question({ discard, keep }: NonNullable<Typing['question']>) {
  const { forms } = useWords()
  const keepButton = useRef<HTMLButtonElement>(null)
  useEffect(() => keepButton.current?.focus(), [])
  return (
    <Group justify="space-between" role="alert">
      <Text fw={600}>{forms.discardTitle}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={discard}>
          {forms.discard}
        </Button>
        <Button ref={keepButton} onClick={keep}>
          {forms.keep}
        </Button>
      </Group>
    </Group>
  )
}
