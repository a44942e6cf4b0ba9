import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FeedEvent } from '../../api/event-feed.ts'
import { useWords } from '../../words/index.tsx'

/** Names the records that an event belongs to. A user is a link to its screen, an access a link to its events. */
export function EventSubject({ store, event }: { store: string; event: FeedEvent }) {
  const { events } = useWords()
  const { id, data } = event
  const parts: ReactNode[] = []
  if ('user_id' in data && event.type !== 'user.erased') {
    const { user_id } = data
    parts.push(
      <Anchor
        key="user"
        inherit
        renderRoot={(props) => <Link to="/s/$store/users/$id" params={{ store, id: user_id }} {...props} />}
      >
        {events.ofUser(user_id)}
      </Anchor>,
    )
  }
  if ('product_access_id' in data) {
    const { product_access_id } = data
    parts.push(
      <Anchor
        key="access"
        inherit
        renderRoot={(props) => (
          <Link to="/s/$store/events" params={{ store }} search={{ access: product_access_id }} {...props} />
        )}
      >
        {events.ofAccess(product_access_id)}
      </Anchor>,
    )
  }
  const text = event.type === 'user.erased' ? events.ofUser(event.data.user_id) : textOf(data, events)
  if (text !== undefined) parts.push(text)
  return (
    <>
      {parts.map((part, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one event never move
        <span key={i}>{part} · </span>
      ))}
      <Text span size="xs" c="dimmed">
        {events.number(id)}
      </Text>
    </>
  )
}

function textOf(data: FeedEvent['data'], events: ReturnType<typeof useWords>['events']): string | undefined {
  if ('product_id' in data) return events.ofProduct(data.product_id)
  if ('access_token_id' in data) return events.ofToken(data.access_token_id)
  if ('webhook_endpoint_id' in data) return events.ofWebhook(data.webhook_endpoint_id)
  if ('custom_field_key' in data) return data.custom_field_key
  return undefined
}
