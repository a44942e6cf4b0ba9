import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What a record has, by name. `columns` are those of a wide screen. */
export function Facts({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, lg: columns }} verticalSpacing="sm" m={0}>
      {children}
    </SimpleGrid>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === undefined || children === ''
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }} {...(isEmpty && { c: 'dimmed' })}>
        {isEmpty ? '–' : children}
      </Text>
    </div>
  )
}
