import { Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * Shown instead of an empty list. The text says why it is empty, and `children` are buttons for what to do about it.
 */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm">
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  )
}
