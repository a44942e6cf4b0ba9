import { Box, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { addDays, dayAt } from '../../../../../src/calendar.ts'
import type { FeedEvent } from '../../api/event-feed.ts'
import { type EventSearch, toEventSearch } from '../../api/event-search.ts'
import { useAccessName } from '../../api/names.ts'
import { DayInput } from '../../parts/moment-input.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { UserPicker } from '../users/user-picker.tsx'
import { TYPES } from './filter.ts'
import { useActors } from './use-actors.ts'

interface Props {
  store: string
  search: EventSearch
  /** The events that are shown, whose actors can be chosen. */
  rows: FeedEvent[] | undefined
  onChange: (search: EventSearch) => void
}

export function EventFilters({ store, search, rows, onChange }: Props) {
  const words = useWords()
  const actors = useActors(store, rows ?? [], search.actor)
  const [now] = useState(Date.now)
  const today = dayAt(now, useZone())
  const yesterday = addDays(today, -1)
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
        <SearchSelect
          flex="1 1 12rem"
          maw={260}
          label={words.events.actor}
          placeholder={words.events.anyActor}
          data={actors}
          value={search.actor ?? null}
          onChange={(actor) => change({ actor: actor ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': words.events.anyActor }}
        />
        <Days label={words.events.from} value={search.from} onChange={(from) => change({ from })} />
        <Days label={words.events.to} value={search.to} onChange={(to) => change({ to })} />
        {Object.entries({ [words.events.today]: today, [words.events.yesterday]: yesterday }).map(([label, day]) => (
          <Button
            key={label}
            variant={search.from === day && search.to === day ? 'light' : 'default'}
            onClick={() => change({ from: day, to: day })}
          >
            {label}
          </Button>
        ))}
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

function Days({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (day: string | undefined) => void
}) {
  return (
    <Box flex="1 1 8rem" maw={170}>
      <DayInput label={label} value={value ?? null} onChange={(day) => onChange(day ?? undefined)} isClearable />
    </Box>
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
