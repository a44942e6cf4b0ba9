import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { type EventSearch, toEventSearch } from '../../api/event-search.ts'
import { useAccessName } from '../../api/names.ts'
import { useWords } from '../../words/index.tsx'
import { UserPicker } from '../users/user-picker.tsx'
import { TYPES } from './filter.ts'

interface Props {
  store: string
  search: EventSearch
  onChange: (search: EventSearch) => void
}

export function EventFilters({ store, search, onChange }: Props) {
  const words = useWords()
  const { order, ...filter } = search
  const change = (changes: { [F in keyof EventSearch]: EventSearch[F] | undefined }) =>
    onChange(toEventSearch({ ...search, ...changes }))
  return (
    <>
      <Group align="end" gap="sm">
        <NativeSelect
          flex="1 1 12rem"
          maw={320}
          label={words.events.type}
          value={search.type ?? ''}
          onChange={({ currentTarget }) => change({ type: currentTarget.value })}
          data={[
            { value: '', label: words.events.anyType },
            ...TYPES.map((type) => ({ value: type, label: words.eventTypes[type] })),
          ]}
        />
        <UserPicker store={store} value={search.user} onChange={(user) => change({ user })} />
        {Object.keys(filter).length > 0 && (
          <Button variant="subtle" onClick={() => onChange({ ...(order && { order }) })}>
            {words.common.clearFilters}
          </Button>
        )}
      </Group>
      {search.access !== undefined && <OfOneAccess store={store} id={search.access} />}
    </>
  )
}

/** A link from an access leads to its events only. */
function OfOneAccess({ store, id }: { store: string; id: string }) {
  const { events } = useWords()
  const name = useAccessName(store, id)
  return (
    <Text size="sm">
      {events.ofOneAccess} <b>{name ?? events.ofAccess(id)}</b>
    </Text>
  )
}
