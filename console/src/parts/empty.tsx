import { Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What stands where nothing is: why, and in `children` what to do about it. */
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
