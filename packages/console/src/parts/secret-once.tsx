import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'

export interface ShownSecret {
  title: string
  /** The name of the secret, such as "Token". */
  label: string
  secret: string
  note?: string
  /** An example of how to use the secret, such as a curl command. */
  sample?: { label: string; text: string }
}

/**
 * A form that closes returns the focus after 10 ms. If this dialog opened earlier, it would lose the focus and could
 * not return it.
 */
const FOCUS_MS = 30

/**
 * Shows a secret that the API returns only once. Only its own button closes the dialog, because it cannot be opened
 * again.
 */
export function SecretOnce({ shown, onClose }: { shown: ShownSecret | undefined; onClose: () => void }) {
  const { secrets } = useWords()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!shown) return undefined
    const timer = setTimeout(() => setIsOpen(true), FOCUS_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <Modal
      opened={isOpen}
      onClose={() => setIsOpen(false)}
      onExitTransitionEnd={onClose}
      title={shown?.title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {shown && (
        <Stack>
          <Alert color="orange" variant="light" icon={<AlertIcon aria-hidden />} title={secrets.shownOnce}>
            {secrets.copyNow}
          </Alert>
          <Labeled label={shown.label}>
            <CopyText block text={shown.secret} label={secrets.copy(shown.label)} />
          </Labeled>
          {shown.note !== undefined && <Text size="sm">{shown.note}</Text>}
          {shown.sample && (
            <Labeled label={shown.sample.label}>
              <CopyText block text={shown.sample.text} label={secrets.copy(shown.sample.label)} />
            </Labeled>
          )}
          <Group justify="end">
            <Button onClick={() => setIsOpen(false)}>{secrets.done}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  )
}
