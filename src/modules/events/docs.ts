import type { toEventPage } from './event-json.ts'
import { event } from './event-docs.ts'
import { list, nullable, optional, resource, text } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

const eventPage = resource<ReturnType<typeof toEventPage>>('EventPage', 'A page of events.', {
  data: list(event, 'The events of the page, in the order in which they were committed.'),
  next: nullable(text('The `after` of the next page. Null if the last event in this order has been read.')),
  cursor: optional(
    nullable(
      text(
        'The id up to which events have been read, on the last page too: send it as `after` to continue. Null if none has been. Omitted with `order=desc`.',
        '14',
      ),
    ),
  ),
})

const page = response('EventPage', 'A page of events, the oldest first unless `order` is `desc`.', eventPage, {
  headers: ['X-Newest-Id'],
})

const history = pageResponse('EventHistoryPage', 'A page of events, the newest first.', event)

const feedQuery = {
  type: 'The events of this type.',
  user_id: 'The events of this user and of their accesses.',
  product_access_id: 'The events of this access.',
  actor:
    'The events that this actor has caused: `system` (the service itself), `root`, `operator:{id}` or `access_token:{id}`. One that does not exist has caused none.',
  since:
    'The events of this time or later. The page begins near it, and what is older costs nothing. Without `after` it is never 410.',
  until:
    'The events before this time. `next` is null once every later event is newer. `cursor` then stays before the first newer one, so that a request with a later `until` goes on there.',
  order:
    '`desc`: the newest event first; `next` is null at the oldest event that is still kept, there is no `cursor`, and no `after` is 410. If it is omitted, `asc`.',
  after:
    'The id of the last event that you have: the `cursor` or `next` of the previous page. If it is omitted, the feed starts at the oldest event that is still kept (with `order=desc`, at the newest). An id before that event is 410, and an id after the newest event is 422.',
}

export const events = describeOperations('Events', {
  listEvents: {
    route: 'GET /v1/stores/{store_id}/events',
    summary: 'Follow the events of a store',
    description:
      'Events in the order in which they were committed. To follow them, store `cursor` and send it as `after` in the next request. No event is ever skipped, whoever writes at the same time. One request reads at most 5,000 events: with a filter, the page may be short or empty while `next` says where to continue. Events are kept for 90 days unless the operator has configured otherwise.',
    query: feedQuery,
    responses: { 200: page },
  },
  listUserEvents: {
    route: 'GET /v1/stores/{store_id}/users/{id}/events',
    summary: 'Read the history of a user',
    description: 'The events of the types `user.*`, the newest first. Each access has a history of its own.',
    responses: { 200: history },
  },
  listProductAccessEvents: {
    route: 'GET /v1/stores/{store_id}/product_accesses/{id}/events',
    summary: 'Read the history of an access',
    description: 'Who changed what and when, the newest first.',
    responses: { 200: history },
  },
  listOperatorEvents: {
    route: 'GET /admin/events',
    summary: 'Follow the events of operators',
    description: 'The events of the types `operator.*`, which belong to no store.',
    query: feedQuery,
    responses: { 200: page },
  },
})
