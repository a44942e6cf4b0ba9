import { Card, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  title: string
  hint?: string
  /** Stands beside the title. */
  action?: ReactNode
  /** With this, the card is a group of inputs, which are disabled while it is true. */
  isDisabled?: boolean
  children: ReactNode
}

/** A card with a title, and below it a line about what it shows. */
export function TitledCard({ title, hint, action, isDisabled, children }: Props) {
  return (
    <Card withBorder {...(isDisabled !== undefined && { component: 'fieldset', mx: 0, disabled: isDisabled })}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Card>
  )
}
