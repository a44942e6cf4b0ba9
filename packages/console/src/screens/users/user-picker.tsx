import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useUserName } from '../../api/names.ts'
import { useWords } from '../../words/index.tsx'
import { noSearch } from './narrowing.ts'
import { fullName } from './selection.tsx'
import { useSearch } from './use-search.ts'

const TYPING_MS = 80
/** More options than this would be out of view. */
const MAX_OPTIONS = 10

interface Props {
  store: string
  /** The id of the chosen user. */
  value: string | undefined
  onChange: (id: string | undefined) => void
}

/** Chooses a user by name, email or external id. */
export function UserPicker({ store, value, onChange }: Props) {
  const { events, users } = useWords()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS)
  const [last] = useState(noSearch)
  const name = useUserName(store, value)
  const chosen = value === undefined ? undefined : { value, label: name ?? events.ofUser(value) }
  // The input also has a text when a user was chosen. Nobody has typed that one.
  const isEnabled = typed !== '' && typed !== chosen?.label
  const { rows: found = [], isFetching } = useSearch(store, { q: typed }, { last, size: MAX_OPTIONS, isEnabled })
  const options = found
    .filter(({ id }) => id !== value)
    .slice(0, MAX_OPTIONS)
    .map((user) => ({ value: user.id, label: `${fullName(user)} · ${user.email}` }))
  return (
    <Select
      flex="2 1 16rem"
      maw={360}
      label={events.user}
      placeholder={events.findUser}
      data={chosen ? [chosen, ...options] : options}
      // The service has searched already, also in emails and without regard to accents.
      filter={(search) => search.options}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setText}
      searchable
      selectFirstOptionOnChange
      clearable
      nothingFoundMessage={typed === '' || isFetching ? undefined : users.notFound}
      clearButtonProps={{ 'aria-label': events.anyUser }}
    />
  )
}
