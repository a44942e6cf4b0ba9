import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'

export interface Shown {
  title: string
  /** What the secret is called. */
  label: string
  secret: string
  note?: string
  /** Something to try it with at once, such as a curl. */
  sample?: { label: string; text: string }
}

/** A form that closes gives the focus back after 10 ms; what opens in its place waits for that, and gives it back too. */
const FOCUS_MS = 30

/** A secret that is answered this once: nothing but its own button closes it, because it cannot be opened again. */
export function SecretOnce({ shown, onClose }: { shown: Shown | undefined; onClose: () => void }) {
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
          <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={secrets.once}>
            {secrets.keepIt}
          </Alert>
          <Labelled label={shown.label}>
            <CopyText block text={shown.secret} label={secrets.copy(shown.label)} />
          </Labelled>
          {shown.note !== undefined && <Text size="sm">{shown.note}</Text>}
          {shown.sample && (
            <Labelled label={shown.sample.label}>
              <CopyText block text={shown.sample.text} label={secrets.copy(shown.sample.label)} />
            </Labelled>
          )}
          <Group justify="end">
            <Button onClick={() => setIsOpen(false)}>{secrets.kept}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  )
}
