import { Button, Group, Text } from '@mantine/core'
import { useCustomFields } from '../../api/custom-fields.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { FieldFilter } from './field-filter.ts'

/** More of them would push the list out of view. The others are in the menu of the list. */
const MAX_OFFERED = 6

/** The search does not look into custom fields, where a tax number or a class is. */
export function FieldOffers({ text, onChoose }: { text: string; onChoose: (filter: FieldFilter) => void }) {
  const { users } = useWords()
  const { data: fields = [] } = useCustomFields(useStore())
  if (fields.length === 0) return null
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {users.orField}
      </Text>
      {fields.slice(0, MAX_OFFERED).map(({ key, label }) => (
        <Button key={key} size="compact-sm" variant="default" onClick={() => onChoose({ field: key, value: text })}>
          {users.fieldIs(label ?? key, text)}
        </Button>
      ))}
    </Group>
  )
}
