import { Badge, Text } from '@mantine/core'
import { Moment } from './moment.tsx'

/** The dot of plain `gray` is hardly visible in dark mode. */
const COLORS = { good: 'teal', waiting: 'yellow', bad: 'red', inactive: 'gray.6' }

/** Shows a state as text. The color only repeats it, because some people cannot tell the colors apart. */
export function StateBadge({ state, children }: { state: keyof typeof COLORS; children: string }) {
  return (
    <Badge variant="dot" color={COLORS[state]} tt="none" fw={500} size="lg" miw="max-content">
      {children}
    </Badge>
  )
}

export function RevokedBadge({ at, children }: { at: string; children: string }) {
  return (
    <>
      <StateBadge state="inactive">{children}</StateBadge>
      <Text size="xs" c="dimmed">
        <Moment at={at} />
      </Text>
    </>
  )
}
