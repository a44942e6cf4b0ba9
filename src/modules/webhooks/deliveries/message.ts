/** The bodies that endpoints are sent: events as the feed shows them. */
import { formatDateTime } from '../../../lib/date-time.ts'
import { numberOf } from '../../../db/ids.ts'
import type { RequestContext } from '../../../change/request.ts'
import { TEST_EVENT } from '../../../change/event-types.ts'
import type { EventRecord } from '../../events/feed.ts'
import type { Message } from './send.ts'
import { toEvent } from '../../events/event-json.ts'

/** `attempt` is the number of the attempt to deliver the event, from 1; undefined for a redelivery. */
export function toMessage(event: EventRecord, attempt?: number): Message {
  const body = JSON.stringify(toEvent(event, 'integrator'))
  return {
    store_id: event.store_slug ?? '',
    event_id: String(numberOf(event.id)),
    ...(attempt !== undefined && { attempt }),
    body,
  }
}

/** A test looks like an event, but is none of the store's: no event has the number 0. */
export function toTestEvent({ store_slug, request_id, now }: RequestContext, endpoint_id: number) {
  return {
    id: '0',
    type: TEST_EVENT,
    timestamp: formatDateTime(now),
    store_id: store_slug,
    request_id,
    actor: { type: 'system' as const },
    data: { webhook_endpoint_id: String(numberOf(endpoint_id)) },
  }
}

/** The request id makes the webhook-id unique; otherwise a receiver that drops duplicates would ignore the second test. */
export function toTestMessage(context: RequestContext, endpoint_id: number): Message {
  const { store_slug, request_id } = context
  const body = JSON.stringify(toTestEvent(context, endpoint_id))
  return { store_id: store_slug ?? '', event_id: `test_${request_id}`, body }
}
