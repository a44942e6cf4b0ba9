import { SegmentedControl } from '@mantine/core'
import { useWords } from '../words/index.tsx'

/** The newest first if it is omitted. */
export type Order = 'asc' | undefined

export function OrderControl({ value, onChange }: { value: Order; onChange: (order: Order) => void }) {
  const { lists } = useWords()
  return (
    <SegmentedControl
      size="xs"
      aria-label={lists.order}
      data={[
        { value: 'desc', label: lists.newestFirst },
        { value: 'asc', label: lists.oldestFirst },
      ]}
      value={value ?? 'desc'}
      onChange={(chosen) => onChange(chosen === 'asc' ? 'asc' : undefined)}
    />
  )
}
