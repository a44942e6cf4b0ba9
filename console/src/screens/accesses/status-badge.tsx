import { StateBadge } from '../../parts/state-badge.tsx'
import { useWords } from '../../words/index.tsx'
import type { Status } from './filter.ts'

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useWords()
  return <StateBadge state={status === 'with_access' ? 'good' : 'inactive'}>{statuses[status]}</StateBadge>
}
