import { SegmentedControl } from '@mantine/core'
import type { OrderSearch } from '../address.ts'
import { useWords } from '../words/index.tsx'

interface Props {
  value: OrderSearch['order']
  onChange: (order: OrderSearch) => void
}

export function OrderControl({ value, onChange }: Props) {
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
      onChange={(chosen) => onChange(chosen === 'asc' ? { order: chosen } : {})}
    />
  )
}
