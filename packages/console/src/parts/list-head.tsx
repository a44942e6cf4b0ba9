import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Moment } from './moment.tsx'
import { useWords } from '../words/index.tsx'

/** The line above a list: how many records there are, and controls such as the order. */
export function ListHead({
  total,
  at,
  children,
}: {
  total?: string | undefined
  at?: string | undefined
  children: ReactNode
}) {
  const { overview } = useWords()
  return (
    <Group justify="space-between" gap="xs" mih={36}>
      <Text size="sm" c="dimmed">
        {total !== undefined && (
          <>
            <b>{total}</b>
            {at !== undefined && (
              <>
                {' · '}
                {overview.countedUpTo} <Moment at={at} />
              </>
            )}
          </>
        )}
      </Text>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
