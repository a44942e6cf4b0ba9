import { List, Text } from '@mantine/core'
import type { BulkChange } from '../../api/bulk-changes.ts'
import { useWords } from '../../words/index.tsx'

/** What takes something away comes first. */
const EFFECTS = ['closed', 'earlier', 'limited', 'later', 'unlimited', 'opened', 'sameDay'] as const
const LOSSES: ReadonlySet<string> = new Set(['closed', 'earlier', 'limited'])

interface Props {
  label: string
  /** `sameDay`: how many end on the day that is set already. */
  effects: BulkChange['effects'] & { sameDay?: number }
}

/** How many accesses end later, earlier or get another limit, and how many are closed or opened. */
export function Effects({ label, effects }: Props) {
  const { bulk } = useWords()
  const shown = EFFECTS.flatMap((effect) => {
    const n = effects[effect] ?? 0
    return n > 0 ? [{ effect, n }] : []
  })
  if (shown.length === 0) return null
  return (
    <List size="sm" aria-label={label}>
      {shown.map(({ effect, n }) => (
        <List.Item key={effect}>
          <Text inherit {...(LOSSES.has(effect) && { c: 'var(--mantine-color-error)', fw: 600 })}>
            {bulk.effects[effect](n)}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}
