import { Progress, Stack } from '@mantine/core'
import { type BulkChange, isRunning } from '../../api/bulk-changes.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useWords } from '../../words/index.tsx'

const BADGES = { queued: 'waiting', running: 'waiting', done: 'good', canceled: 'inactive', failed: 'bad' } as const

export function BulkState({ change }: { change: BulkChange }) {
  const { bulk } = useWords()
  return (
    <Stack gap={6} align="start">
      {change.reverted_by === null ? (
        <StateBadge state={BADGES[change.state]}>{bulk.states[change.state]}</StateBadge>
      ) : (
        <StateBadge state="inactive">{bulk.reverted}</StateBadge>
      )}
      {isRunning(change) && <BulkProgress change={change} />}
    </Stack>
  )
}

export function BulkProgress({ change: { progress } }: { change: BulkChange }) {
  const { bulk } = useWords()
  return (
    <Progress.Root w="100%" miw={80}>
      <Progress.Section value={progress} aria-label={bulk.progress(Math.floor(progress))} />
    </Progress.Root>
  )
}
