import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FeedEvent, listEvents } from '../../api/event-feed.ts'
import { fillPage } from '../../api/pages.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/index.tsx'
import { EventSubject } from '../events/event-subject.tsx'

/** What outlives a token that has leaked: endpoints still get every event, and bulk changes may be reverted. */
const TYPES = ['webhook_endpoint.created', 'webhook_endpoint.updated', 'bulk_change.created'] as const
/** More would hide the button. The events have all. */
const MAX_SHOWN = 20

/** The endpoints and bulk changes that a token has made, for whoever revokes it after a leak. */
export function TokenTraces({ store, id }: { store: string; id: string }) {
  const { tokens, eventTypes } = useWords()
  const actor = `access_token:${id}`
  const { data, error, refetch } = useQuery({
    queryKey: ['token-traces', store, id],
    queryFn: async ({ signal }) => {
      const lists = TYPES.map((type) =>
        fillPage(listEvents(store, { type, actor }, 'desc'), { after: undefined, signal, size: MAX_SHOWN }),
      )
      const events: FeedEvent[] = (await Promise.all(lists)).flatMap((page) => page.data)
      return events.toSorted((a, b) => Number(b.id) - Number(a.id)).slice(0, MAX_SHOWN)
    },
  })
  return (
    <>
      <FailureNote error={error} retry={() => void refetch()} />
      {data && <Text size="sm">{data.length === 0 ? tokens.noTraces : tokens.traces}</Text>}
      {data && data.length > 0 && (
        <List size="sm" aria-label={tokens.traces}>
          {data.map((event) => (
            <List.Item key={event.id} style={{ overflowWrap: 'anywhere' }}>
              {eventTypes[event.type]}: <EventSubject store={store} event={event} /> <Moment at={event.timestamp} />
            </List.Item>
          ))}
        </List>
      )}
      <TextLink size="sm" to="/s/$store/events" params={{ store }} search={{ actor }} w="fit-content">
        {tokens.allTraces}
      </TextLink>
    </>
  )
}
