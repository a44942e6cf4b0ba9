import { Button, Group, Stack, Text, Timeline as Line, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventGroup } from '../../parts/event-group.tsx'
import type { ShownEvent } from '../../parts/event-line.tsx'
import { foldEvents } from '../../parts/fold-events.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { Access } from './access.ts'
import { Loading } from '../../parts/loading.tsx'
import { readNextPage, type TimelinePage, type Source, sourcesOf } from './history.ts'

/**
 * The history of each access is a request of its own. For a user with more accesses than this, the rest is loaded only
 * when the operator asks for it.
 */
const MAX_AT_FIRST = 20

/** Shows all events of a user and of the user's accesses, newest first. */
export function Timeline({ user, accesses }: { user: string; accesses: Access[] }) {
  const { timeline } = useWords()
  const store = useStore()
  const [isComplete, setIsComplete] = useState(false)
  const accessIds = (isComplete ? accesses : accesses.slice(0, MAX_AT_FIRST)).map(({ id }) => id)
  const first: Source[] | undefined = undefined
  const query = useInfiniteQuery({
    queryKey: ['timeline', store, user, accessIds],
    queryFn: ({ pageParam }: { pageParam: Source[] | undefined }) =>
      readNextPage(pageParam ?? sourcesOf(store, user, accessIds)),
    initialPageParam: first,
    getNextPageParam: ({ rest }) => rest,
    placeholderData: (before) => before,
  })
  const events = query.data?.pages.flatMap((part) => part.events)
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h3">
        {timeline.title}
      </Title>
      {query.error && <FailureNote error={query.error} retry={() => void query.refetch()} />}
      {events && <Events events={events} accesses={accesses} />}
      {query.isLoading && <Loading p="md" />}
      {query.hasNextPage && (
        <Button
          variant="default"
          w="fit-content"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {timeline.older}
        </Button>
      )}
      {accessIds.length < accesses.length && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {timeline.partial(accessIds.length, accesses.length)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setIsComplete(true)}>
            {timeline.showAll}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Events({ events, accesses }: { events: TimelinePage['events']; accesses: Access[] }) {
  const { timeline } = useWords()
  const names = new Map(accesses.map(({ id, product }) => [id, product.name]))
  if (events.length === 0) return <Text c="dimmed">{timeline.none}</Text>
  return (
    <Line bulletSize={12} lineWidth={2} role="list" aria-label={timeline.title}>
      {foldEvents(events).map((group) => (
        <Line.Item key={group.first.id} role="listitem">
          <EventGroup group={group} productOf={(event) => nameOf(event, names)} />
        </Line.Item>
      ))}
    </Line>
  )
}

function nameOf({ data }: ShownEvent, names: ReadonlyMap<string, string>): string | undefined {
  return 'product_access_id' in data ? names.get(data.product_access_id) : undefined
}
