import { Badge } from '@mantine/core'

const COLORS = { good: 'teal', waiting: 'yellow', bad: 'red', over: 'gray' }

/** How something stands, in words; the colour says it again. */
export function StateBadge({ state, children }: { state: keyof typeof COLORS; children: string }) {
  return (
    <Badge variant="dot" color={COLORS[state]} tt="none" fw={500} size="lg" miw="max-content">
      {children}
    </Badge>
  )
}
