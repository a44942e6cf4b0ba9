import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { toEventSearch } from '../api/event-search.ts'
import { type EventPages, useEventPages } from '../api/live-events.ts'
import { Empty } from '../parts/empty.tsx'
import { EventGroup } from '../parts/event-group.tsx'
import { foldBulkChanges } from '../parts/fold-events.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Screen } from '../parts/screen.tsx'
import { useStore } from '../store.ts'
import { useLanguage, useWords } from '../words/index.tsx'
import { EventFilters } from './events/event-filters.tsx'
import { EventSubject } from './events/event-subject.tsx'
import { Loading } from '../parts/loading.tsx'
import { toFilter } from './events/filter.ts'

/** Shows the events of the store while they happen. */
export function Events() {
  const words = useWords()
  const store = useStore()
  const search = toEventSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [isPaused, setPaused] = useState(false)
  const filter = toFilter(search)
  const pages = useEventPages(store, filter, isPaused)
  return (
    <Screen title={words.events.title} actions={<Live isPaused={isPaused} setPaused={setPaused} pages={pages} />}>
      <EventFilters
        search={search}
        onChange={(next) => void navigate({ to: '/s/$store/events', params: { store }, search: next, replace: true })}
      />
      <List pages={pages} isFiltered={Object.keys(filter).length > 0} />
    </Screen>
  )
}

interface LiveProps {
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  pages: EventPages
}

function Live({ isPaused, setPaused, pages }: LiveProps) {
  const { events } = useWords()
  if (!pages.isNewest) return null
  return (
    <>
      <Badge variant={isPaused ? 'default' : 'filled'} size="lg">
        {isPaused ? events.paused : events.live}
      </Badge>
      <Button
        variant="default"
        leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? events.resume : events.pause}
      </Button>
    </>
  )
}

function List({ pages, isFiltered }: { pages: EventPages; isFiltered: boolean }) {
  const words = useWords()
  const { language } = useLanguage()
  const { events, error, retry, isEnd, searchedCount } = pages
  if (!events) {
    if (error) return <FailureNote error={error} retry={retry} />
    return <Loading />
  }
  return (
    <>
      <FailureNote error={error} retry={retry} />
      {events.length === 0 ? (
        <Empty text={isFiltered ? words.events.noneFound : words.events.none} />
      ) : (
        <Paper withBorder component="ol" aria-label={words.events.list} p={0} m={0} style={{ listStyle: 'none' }}>
          {foldBulkChanges(events).map((group) => (
            <li key={group.first.id} style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
              <Stack px="md" py="sm" gap={0}>
                <EventGroup group={group} Subject={EventSubject} />
              </Stack>
            </li>
          ))}
        </Paper>
      )}
      {isFiltered && !isEnd && (
        <Text size="sm" c="dimmed" role="status">
          {words.events.searched(searchedCount.toLocaleString(language))}
        </Text>
      )}
      <Paging pages={pages} isSearch={isFiltered} />
    </>
  )
}

function Paging({ pages, isSearch }: { pages: EventPages; isSearch: boolean }) {
  const { events } = useWords()
  const { isNewest, newest, older } = pages
  if (isNewest && !older) return null
  return (
    <Group justify="space-between">
      <Button variant="default" disabled={isNewest} onClick={newest}>
        {events.newest}
      </Button>
      <Button variant="default" disabled={!older} onClick={older}>
        {isSearch ? events.searchOlder : events.older}
      </Button>
    </Group>
  )
}
