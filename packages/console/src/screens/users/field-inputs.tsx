import { Select, TextInput } from '@mantine/core'
import { useCustomFields } from '../../api/custom-fields.ts'
import { useTyped } from '../../forms/use-typed.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { FieldFilter } from './field-filter.ts'

interface Props {
  value: FieldFilter
  onChange: (filter: FieldFilter) => void
}

/** Selects people by the value of a custom field, such as their class. Nothing is shown in a store without such fields. */
export function FieldInputs({ value, onChange }: Props) {
  const { users } = useWords()
  const { data: fields = [] } = useCustomFields(useStore())
  const { typed, type } = useTyped(value, onChange)
  if (fields.length === 0 && value.field === undefined) return null
  const choices = fields.map(({ key, label }) => ({ value: key, label: label ?? key }))
  if (value.field !== undefined && !fields.some(({ key }) => key === value.field)) {
    choices.push({ value: value.field, label: value.field })
  }
  return (
    <>
      <Select
        flex="1 1 9rem"
        maw={220}
        label={users.customField}
        placeholder={users.anyField}
        data={choices}
        value={typed.field ?? null}
        onChange={(field) => type(field === null ? {} : { ...typed, field })}
        clearable
        clearButtonProps={{ 'aria-label': users.anyField }}
      />
      {typed.field !== undefined && (
        <TextInput
          flex="1 1 8rem"
          maw={200}
          label={users.isExactly}
          value={typed.value ?? ''}
          onChange={({ currentTarget }) => type({ field: typed.field ?? '', value: currentTarget.value })}
          autoComplete="off"
        />
      )}
    </>
  )
}
