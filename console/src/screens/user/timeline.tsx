import { Button, Center, Group, Loader, Stack, Text, Timeline as Line, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventLine } from '../../parts/event-line.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { Access } from './access.ts'
import { nextPart, type Part, type Source, sourcesOf } from './history.ts'

/** Each has a history of its own to be asked for: of more accesses, only when the reader wants it. */
const MAX_AT_FIRST = 20

/** Everything that happened to a user and to the accesses, newest first. */
export function Timeline({ user, accesses }: { user: string; accesses: Access[] }) {
  const { timeline, common } = useWords()
  const store = useStore()
  const [isWhole, setIsWhole] = useState(false)
  const told = (isWhole ? accesses : accesses.slice(0, MAX_AT_FIRST)).map(({ id }) => id)
  const first: Source[] | undefined = undefined
  const query = useInfiniteQuery({
    queryKey: ['timeline', store, user, told],
    queryFn: ({ pageParam }: { pageParam: Source[] | undefined }) =>
      nextPart(pageParam ?? sourcesOf(store, user, told)),
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
      {query.isLoading && (
        <Center p="md">
          <Loader aria-label={common.loading} />
        </Center>
      )}
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
      {told.length < accesses.length && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {timeline.partly(told.length, accesses.length)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setIsWhole(true)}>
            {timeline.showAll}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Events({ events, accesses }: { events: Part['events']; accesses: Access[] }) {
  const { timeline } = useWords()
  const names = new Map(accesses.map(({ id, product }) => [id, product.name]))
  if (events.length === 0) return <Text c="dimmed">{timeline.nothing}</Text>
  return (
    <Line bulletSize={12} lineWidth={2} role="list" aria-label={timeline.title}>
      {events.map((event) => (
        <Line.Item key={event.id} role="listitem">
          <EventLine event={event} about={nameOf(event, names)} />
        </Line.Item>
      ))}
    </Line>
  )
}

function nameOf({ data }: Part['events'][number], names: ReadonlyMap<string, string>): string | undefined {
  return 'product_access_id' in data ? names.get(data.product_access_id) : undefined
}
