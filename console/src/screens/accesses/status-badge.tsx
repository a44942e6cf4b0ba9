import { StateBadge } from '../../parts/state-badge.tsx'
import { Box } from '@mantine/core'
import { useWords } from '../../words/index.tsx'
import type { Status } from './filter.ts'

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useWords()
  return (
    // A narrow column would cut its words.
    <Box component="span" display="inline-block" miw="max-content">
      <StateBadge state={status === 'with_access' ? 'good' : 'over'}>{statuses[status]}</StateBadge>
    </Box>
  )
}
