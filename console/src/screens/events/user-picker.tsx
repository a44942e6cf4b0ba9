import { Select } from '@mantine/core'
import { useState } from 'react'
import { useUserName } from '../../api/names.ts'
import { usePages } from '../../api/pages.ts'
import { useWords } from '../../words/index.tsx'
import { noSearch } from '../users/narrowing.ts'
import { searchUsers } from '../users/search.ts'
import { fullName } from '../users/selection.tsx'

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
  const typed = text.trim()
  const [lastSearch] = useState(noSearch)
  const name = useUserName(store, value)
  const chosen = value === undefined ? undefined : { value, label: name ?? events.ofUser(value) }
  const { rows: found = [], isFetching } = usePages(
    ['users', store, 'options', typed],
    searchUsers(store, { q: typed }, lastSearch),
    // The input also has a text when a user was chosen. Nobody has typed that one.
    { size: MAX_OPTIONS, isEnabled: typed !== '' && typed !== chosen?.label },
  )
  const options = found
    .filter(({ id }) => id !== value)
    .slice(0, MAX_OPTIONS)
    .map((user) => ({ value: user.id, label: `${fullName(user)} · ${user.email}` }))
  return (
    <Select
      flex="2 1 12rem"
      maw={360}
      label={events.user}
      placeholder={events.findUser}
      data={chosen ? [chosen, ...options] : options}
      // The service has searched already, also in emails and without regard to accents.
      filter={({ options }) => options}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setText}
      searchable
      clearable
      nothingFoundMessage={typed === '' || isFetching ? undefined : users.notFound}
      clearButtonProps={{ 'aria-label': events.anyUser }}
    />
  )
}
