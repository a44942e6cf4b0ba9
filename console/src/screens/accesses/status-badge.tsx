import { Badge } from '@mantine/core'
import { useWords } from '../../words/index.tsx'
import type { Status } from './filter.ts'

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useWords()
  return (
    <Badge variant="light" color={status === 'with_access' ? 'green' : 'gray'} tt="none">
      {statuses[status]}
    </Badge>
  )
}
