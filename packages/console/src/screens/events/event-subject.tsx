import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FeedEvent } from '../../api/event-feed.ts'
import { useCustomFieldLabel, useProductName, useTokenName, useUserName, useWebhookUrl } from '../../api/names.ts'
import { TextLink } from '../../parts/links.tsx'
import { useWords } from '../../words/index.tsx'

/**
 * Names the records that an event belongs to. A user is a link to its screen, an access a link to its events. A record
 * that no longer exists is shown by its number.
 */
export function EventSubject({ store, event }: { store: string; event: FeedEvent }) {
  const { bulk, events } = useWords()
  const { id, data } = event
  const isErased = event.type === 'user.erased'
  const userId = 'user_id' in data ? data.user_id : undefined
  const productId = 'product_id' in data ? data.product_id : undefined
  const tokenId = 'access_token_id' in data ? data.access_token_id : undefined
  const userName = useUserName(store, isErased ? undefined : userId)
  const productName = useProductName(store, productId)
  const tokenName = useTokenName(store, tokenId)
  const parts: ReactNode[] = []
  if (userId !== undefined) {
    parts.push(
      isErased ? (
        events.ofUser(userId)
      ) : (
        <TextLink inherit underline="always" to="/s/$store/users/$id" params={{ store, id: userId }}>
          {userName ?? events.ofUser(userId)}
        </TextLink>
      ),
    )
  }
  if ('product_access_id' in data) {
    parts.push(
      <TextLink
        inherit
        underline="always"
        to="/s/$store/events"
        params={{ store }}
        search={{ access: data.product_access_id }}
      >
        {productName ?? events.ofAccess(data.product_access_id)}
      </TextLink>,
    )
  } else if (productId !== undefined) {
    parts.push(productName ?? events.ofProduct(productId))
  }
  if (tokenId !== undefined) parts.push(tokenName ?? events.ofToken(tokenId))
  if ('webhook_endpoint_id' in data) parts.push(<WebhookName store={store} id={data.webhook_endpoint_id} />)
  if ('custom_field_key' in data) parts.push(<CustomFieldName store={store} fieldKey={data.custom_field_key} />)
  if ('bulk_change_id' in data && data.bulk_change_id !== undefined) {
    parts.push(
      <TextLink inherit underline="always" to="/s/$store/bulk-changes/$id" params={{ store, id: data.bulk_change_id }}>
        {bulk.ofEvent(data.bulk_change_id)}
      </TextLink>,
    )
  }
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

function WebhookName({ store, id }: { store: string; id: string }) {
  const { events } = useWords()
  const url = useWebhookUrl(store, id)
  if (url === undefined) return events.ofWebhook(id)
  return (
    <TextLink inherit underline="always" to="/s/$store/webhooks/$id" params={{ store, id }}>
      {url}
    </TextLink>
  )
}

function CustomFieldName({ store, fieldKey }: { store: string; fieldKey: string }) {
  return useCustomFieldLabel(store, fieldKey) ?? fieldKey
}
