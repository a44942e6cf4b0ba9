import * as z from 'zod'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import { listEventsQuery, type toEventPage } from '../wire/events.ts'
import { listQuery } from '../wire/fields.ts'
import { describes } from './describes.ts'
import { event, eventExample, kinds } from './event-kinds.ts'
import { HAPPENED } from './event-types.ts'
import { text } from './fields.ts'
import { answer, type Operation, operatorOperation, storeOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf } from './requests.ts'
import { receives } from './webhooks.ts'

const eventPage = describes<ReturnType<typeof toEventPage>>()(
  z
    .object({
      data: z.array(event).meta({ description: 'The events of the page, in the order in which they were committed.' }),
      next: text('The `after` of the next page; null where the newest event has been read.').nullable(),
      cursor: text(
        'The id that has been read up to, at the end too: the `after` of a follower. Null where nothing has happened yet.',
      ).nullable(),
    })
    .meta({ id: 'EventPage' }),
)

const feedQuery = queryOf('listEvents', listEventsQuery, {
  type: 'The events of this type.',
  user_id: 'The events of this user and of the accesses of this user.',
  product_access_id: 'The events of this access.',
  after:
    'The id of the last event that you have: `cursor` or `next` of the page before. Left out: from the oldest that is kept. One that lies before that is 410, one beyond the newest event 422.',
})

const historyQuery = queryOf('listHistory', listQuery, {})

const page = answer('EventPage', {
  description: 'A page of events, the oldest first.',
  schema: eventPage,
  example: { data: [eventExample], next: null, cursor: '14' },
  headers: ['X-Newest-Id'],
})

const history = pageAnswer('EventHistoryPage', {
  description: 'A page of events, the newest first.',
  record: event,
  example: eventExample,
})

const FOLLOWING =
  'Events in the order in which they were committed. To follow them, keep `cursor` and ask again with it as `after`: none is ever skipped, whoever writes meanwhile. One request reads at most 5,000 events: with a filter the page may be short or empty while `next` says where to go on. They are kept for 90 days unless the operator has chosen otherwise.'

export const events: Operation[] = [
  ...storeOperation({
    method: 'get',
    path: '/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'Follow what happens in a store',
    description: FOLLOWING,
    scope: 'events:read',
    query: feedQuery,
    answers: { 200: page },
    errors: ['cursor_expired'],
  }),
  ...storeOperation({
    method: 'get',
    path: '/users/{id}/events',
    id: 'listUserEvents',
    tag: 'Events',
    summary: 'Read the history of a user',
    description: 'The events of the type `user.*`, the newest first. The accesses have a history each.',
    scope: 'events:read',
    query: historyQuery,
    answers: { 200: history },
  }),
  ...storeOperation({
    method: 'get',
    path: '/product_accesses/{id}/events',
    id: 'listProductAccessEvents',
    tag: 'Events',
    summary: 'Read the history of an access',
    description: 'Who changed what and when, the newest first.',
    scope: 'events:read',
    query: historyQuery,
    answers: { 200: history },
  }),
  operatorOperation({
    method: 'get',
    path: '/admin/events',
    id: 'listOperatorEvents',
    tag: 'Events',
    summary: 'Follow what happens to operators',
    description: 'The events of the type `operator.*`, which belong to no store.',
    query: feedQuery,
    answers: { 200: page },
    errors: ['cursor_expired'],
  }),
]

/** What is posted to webhook endpoints: each event of a store. */
export const webhooks: Record<string, ZodOpenApiPathItemObject> = Object.fromEntries(
  kinds.flatMap((kind) =>
    kind.shape.type.options
      .filter((type) => !type.startsWith('operator.'))
      .map((type) => [type, receives(type, HAPPENED[type], kind)]),
  ),
)
