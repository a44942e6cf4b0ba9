import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { type EventSearch, toEventSearch } from '../../api/event-search.ts'
import { useWords } from '../../words/index.tsx'
import { isId, TYPES } from './filter.ts'

const DEBOUNCE_MS = 300

interface Props {
  search: EventSearch
  onChange: (search: EventSearch) => void
}

export function EventFilters({ search, onChange }: Props) {
  const words = useWords()
  const change = (changes: EventSearch) => onChange(toEventSearch({ ...search, ...changes }))
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <NativeSelect
        label={words.events.type}
        value={search.type ?? ''}
        onChange={({ currentTarget }) => change({ type: currentTarget.value })}
        data={[
          { value: '', label: words.events.anyType },
          ...TYPES.map((type) => ({ value: type, label: words.eventTypes[type] })),
        ]}
      />
      <IdInput label={words.events.user} value={search.user ?? ''} onChange={(user) => change({ user })} />
      <IdInput label={words.events.access} value={search.access ?? ''} onChange={(access) => change({ access })} />
    </SimpleGrid>
  )
}

interface IdProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/**
 * An input for an id. The filter changes once the operator stops typing, and only for a valid id; otherwise each digit
 * would send a request.
 */
function IdInput({ label, value, onChange }: IdProps) {
  const words = useWords()
  const [shown, setShown] = useState({ text: value, from: value })
  // If the URL was changed by something else, such as a link, its value replaces the typed text.
  const text = shown.from === value ? shown.text : value
  const notifyChange = useDebouncedCallback((next: string) => {
    if (next === '' || isId(next)) onChange(next)
  }, DEBOUNCE_MS)
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      value={text}
      error={text !== '' && !isId(text.trim()) && words.events.invalidId}
      onChange={({ currentTarget }) => {
        setShown({ text: currentTarget.value, from: value })
        notifyChange(currentTarget.value.trim())
      }}
    />
  )
}
