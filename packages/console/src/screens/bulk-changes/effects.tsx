import { List, Text } from '@mantine/core'
import type { BulkChange } from '../../api/bulk-changes.ts'
import { useWords } from '../../words/index.tsx'

/** What takes something away comes first. */
const EFFECTS = ['closed', 'earlier', 'limited', 'later', 'unlimited', 'opened'] as const
const LOSSES: ReadonlySet<string> = new Set(['closed', 'earlier', 'limited'])

/** How many accesses end later, earlier or get another limit, and how many are closed or opened. */
export function Effects({ effects }: { effects: BulkChange['effects'] }) {
  const { bulk } = useWords()
  const shown = EFFECTS.filter((effect) => effects[effect] > 0)
  if (shown.length === 0) return null
  return (
    <List size="sm" aria-label={bulk.effectsHead}>
      {shown.map((effect) => (
        <List.Item key={effect}>
          <Text inherit {...(LOSSES.has(effect) && { c: 'var(--mantine-color-error)', fw: 600 })}>
            {bulk.effects[effect](effects[effect])}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}
