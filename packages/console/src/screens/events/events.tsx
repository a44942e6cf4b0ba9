import { Badge, Button, Paper, Stack } from '@mantine/core'
import { PauseIcon, PlayIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { toEventSearch } from '../../api/event-search.ts'
import { type EventPage, useEventPage } from '../../api/live-events.ts'
import { Empty } from '../../parts/empty.tsx'
import { EventGroup } from '../../parts/event-group.tsx'
import { foldBulkChanges } from '../../parts/fold-events.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ListHead } from '../../parts/list-head.tsx'
import { Loading } from '../../parts/loading.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { PageButtons } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { EventDownload } from './event-download.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventSubject } from './event-subject.tsx'
import { toFilter } from './filter.ts'

/** Shows the events of the store, and the newest ones while they happen. */
export function Events() {
  const { events } = useWords()
  const store = useStore()
  const { filter: search, setFilter, place } = useAddress(toEventSearch)
  const { order, ...others } = search
  const [isPaused, setPaused] = useState(false)
  const zone = useZone()
  const filter = toFilter(others, zone)
  const page = useEventPage(store, filter, { ...(order && { order }), place, isPaused })
  const actions = (
    <>
      <EventDownload store={store} filter={filter} />
      {page.isLive ? (
        <Live isPaused={isPaused} setPaused={setPaused} />
      ) : (
        <Button variant="default" onClick={() => setFilter(others)}>
          {events.newest}
        </Button>
      )}
    </>
  )
  const label = order === undefined ? events.list : events.listOldestFirst
  return (
    <Screen title={events.title} actions={actions}>
      <EventFilters store={store} search={search} rows={page.rows} onChange={setFilter} />
      <ListHead>
        <OrderControl value={order} onChange={(next) => setFilter({ ...others, ...next })} />
      </ListHead>
      <List label={label} page={page} isFiltered={Object.keys(filter).length > 0} />
    </Screen>
  )
}

interface LiveProps {
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
}

function Live({ isPaused, setPaused }: LiveProps) {
  const { events } = useWords()
  return (
    <>
      <Badge variant={isPaused ? 'default' : 'filled'} size="lg">
        {isPaused ? events.paused : events.live}
      </Badge>
      <Button
        variant="default"
        leftSection={isPaused ? <PlayIcon size={16} aria-hidden /> : <PauseIcon size={16} aria-hidden />}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? events.resume : events.pause}
      </Button>
    </>
  )
}

interface ListProps {
  /** The name of the list for screen readers. */
  label: string
  page: EventPage
  isFiltered: boolean
}

function List({ label, page, isFiltered }: ListProps) {
  const { events, lists } = useWords()
  const { rows, error, retry } = page
  if (!rows) {
    if (error) return <FailureNote error={error} retry={retry} />
    return <Loading />
  }
  return (
    <>
      <FailureNote error={error} retry={retry} />
      {rows.length === 0 ? (
        <Empty text={page.next ? lists.nothingSoFar : isFiltered ? events.noneFound : events.none} />
      ) : (
        <Paper
          withBorder
          component="ol"
          aria-label={label}
          aria-busy={page.isFetching && !page.isLive}
          p={0}
          m={0}
          style={{ listStyle: 'none' }}
        >
          {foldBulkChanges(rows).map((group) => (
            <li key={group.first.id} style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
              <Stack px="md" py="sm" gap={0}>
                <EventGroup group={group} Subject={EventSubject} />
              </Stack>
            </li>
          ))}
        </Paper>
      )}
      <PageButtons label={label} page={page} />
    </>
  )
}
