import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listEvents } from '../../api/event-feed.ts'
import { fillPage } from '../../api/pages.ts'
import { useStoreName } from '../../api/stores.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loading } from '../../parts/loading.tsx'
import { actorText } from '../../parts/event-line.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'

interface Props {
  id: string
  /** Why the user cannot be read, which is shown if nobody has erased this user. */
  error: unknown
}

/** The page of somebody who was erased: when and by whom, to be printed for the person who asked. */
export function Erased({ id, error }: Props) {
  const words = useWords()
  const { user, common } = words
  const store = useStore()
  const name = useStoreName(store)
  const zone = useZone()
  const erasure = useQuery({
    queryKey: ['erasure', store, id],
    queryFn: ({ signal }) => {
      const list = listEvents(store, { type: 'user.erased', user_id: id }, 'desc')
      return fillPage(list, { after: undefined, signal, size: 1 })
    },
  })
  if (erasure.isLoading) return <Loading />
  const event = erasure.data?.data[0]
  if (!event) return <FailureNote error={error} />
  return (
    <Paper withBorder p="xl">
      <Stack>
        <Text fw={600} size="lg">
          {user.isErased}
        </Text>
        <Text>
          {user.erasedFrom(id, name)} <Moment at={event.timestamp} /> ({zone}). {user.erasedBy}{' '}
          {actorText(event.actor, words)}
        </Text>
        <Text size="sm">{user.erasedWhat}</Text>
        <Group>
          <Button onClick={() => globalThis.print()}>{common.print}</Button>
          <ButtonLink variant="default" to="/s/$store/users" params={{ store }}>
            {user.back}
          </ButtonLink>
        </Group>
      </Stack>
    </Paper>
  )
}
