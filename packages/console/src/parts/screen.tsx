import { Group, Stack, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useWords } from '../words/index.tsx'
import classes from './screen.module.css'

interface Props {
  title: string
  actions?: ReactNode
  children: ReactNode
}

export function Screen({ title, actions, children }: Props) {
  const words = useWords()
  useDocumentTitle(`${title} · ${words.product}`)
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions && (
          <Group gap="xs" className={classes['actions'] ?? ''}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}
