import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Change } from '../api/changes.ts'
import { useWords } from '../words/index.tsx'
import { FailureNote } from './failure-note.tsx'

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
export function Confirm({ title, action, isOpen, onClose, change, isDangerous, isDisabled, children }: Props) {
  const words = useWords()
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.run()
        }}
      >
        <Stack>
          {children}
          <FailureNote error={change.failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {words.common.cancel}
            </Button>
            <Button
              type="submit"
              {...(isDangerous && { color: 'red.9' })}
              loading={change.isRunning}
              disabled={isDisabled ?? false}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
