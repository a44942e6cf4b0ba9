import { Badge } from '@mantine/core'

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
