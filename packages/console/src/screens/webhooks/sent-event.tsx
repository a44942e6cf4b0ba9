import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, bodyOf } from '../../api/client.ts'
import { CopyText } from '../../parts/copy-text.tsx'
import { EventLine } from '../../parts/event-line.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useStore } from '../../store.ts'
import { Loading } from '../../parts/loading.tsx'
import { useWords } from '../../words/index.tsx'
import { EventSubject } from '../events/event-subject.tsx'
import { sentText } from './sent-text.ts'

/** Shows an event in words, and as the receiver gets it. */
export function SentEvent({ id }: { id: string }) {
  const { webhooks } = useWords()
  const store = useStore()
  const { data, error, refetch } = useQuery({
    queryKey: ['event', store, id],
    queryFn: () =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/events', {
          // Ids have no gaps, so this event is the first one after the previous id.
          params: { path: { store_id: store }, query: { after: String(Number(id) - 1), limit: 1 } },
        }),
      ),
  })
  if (!data) return error ? <FailureNote error={error} retry={() => void refetch()} /> : <Loading />
  const event = data.data.find((found) => found.id === id)
  if (!event) return <Text>{webhooks.eventGone}</Text>
  return (
    <Stack>
      <EventLine event={event} about={<EventSubject store={store} event={event} />} />
      <CopyText block text={sentText(event)} label={webhooks.copyEvent} />
    </Stack>
  )
}
