import * as z from 'zod'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import type { EventType } from '../domain/event-types.ts'
import { listHistoryQuery } from '../v1/events.ts'
import { listEventsQuery, type toEvent, type toEventPage } from '../wire/events.ts'
import { describes } from './describes.ts'
import { dictionary, text, time } from './fields.ts'
import { answer, type Operation, operatorOperation, storeOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf } from './requests.ts'
import { receives } from './webhooks.ts'

/** What happened; a type that is added does not compile until it is described. */
const HAPPENED = {
  'user.created': 'A user was created, on v1, on v3 or in a batch.',
  'user.updated': 'Fields of a user have changed. Their names are told, and nothing of what they hold.',
  'user.erased': 'A user was erased, with the accesses. The id is never used again.',
  'product_access.granted': 'A user was given access to a product.',
  'product_access.updated': 'The status or the due date of an access has changed.',
  'product_access.progressed': 'What a user has reached was recorded. The names of the fields are told.',
  'product_access.expiring':
    'An access ends soon: `expiry_notice_days` of the store before its due date. Once for a date, and written by the service itself.',
  'product_access.expired':
    'The due date of an open access has passed. Once for a date, as a rule within two minutes, and written by the service itself.',
  'access_token.created': 'An access token was issued.',
  'access_token.updated': 'The name, the scopes or the expiry of an access token have changed.',
  'access_token.rotated': 'An access token was given a new secret.',
  'access_token.revoked': 'An access token was revoked.',
  'store.created': 'The store was created: its first event.',
  'store.updated': 'The name, the language, the suspension or the notice of the store have changed.',
  'store.restored':
    'The database was restored to an earlier time. Between the event before and this one there is a gap: events that were read from it may not have happened.',
  'product.created': 'A product was created.',
  'product.updated': 'Fields of a product have changed.',
  'product.deleted': 'A product was deleted.',
  'custom_field.created': 'A custom field was defined.',
  'custom_field.updated': 'The label of a custom field has changed.',
  'custom_field.deleted': 'A custom field was removed; values that users have are kept.',
  'webhook_endpoint.created': 'A webhook endpoint was created: the first event that it is sent.',
  'webhook_endpoint.updated':
    'The URL, the types or the secret of a webhook endpoint have changed. A secret is not told.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.disabled':
    'A webhook endpoint answered 410, or had no success for three days; nothing more is sent to it.',
  'webhook_endpoint.enabled': 'A webhook endpoint goes on where it was disabled.',
  'operator.created': 'The root has made an operator.',
  'operator.revoked': 'The root has revoked an operator.',
} as const satisfies Record<EventType, string>

const actor = z
  .union([
    z.object({
      type: z.enum(['access_token', 'operator']).meta({ description: 'An integrator or an operator.' }),
      id: text('The id of the token, or of the operator.'),
      name: text('What the token is for, or who the operator is.'),
    }),
    z.object({
      type: z.literal('operator').meta({ description: 'The root.' }),
      id: z.null().meta({ description: 'The root has no number.' }),
      name: text('`root`.'),
    }),
    z.object({ type: z.literal('system').meta({ description: 'The service, by itself.' }) }),
  ])
  .meta({ id: 'Actor', description: 'Who caused it.' })

const head = {
  id: text('Its number in the store, one more than that of the event before it.'),
  timestamp: time('When it was committed.'),
  store_id: text('Where it happened; null for operators.').nullable(),
  request_id: text('The `X-Request-Id` that caused it; null: the service.').nullable(),
  actor,
}

const exampleHead = {
  id: '14',
  timestamp: '2026-11-21T09:30:00.000Z',
  store_id: 'demo',
  request_id: 'b36f6f66-ab6a-450a-8557-d7acb534ccf7',
  actor: { type: 'access_token' as const, id: '2', name: 'Checkout' },
}

const changed = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]).meta({
  id: 'ChangedValue',
  description: 'A value of a field, as the resource shows it; null: none.',
})

const changes = dictionary(
  z.object({ from: changed, to: changed }).meta({ id: 'Change', description: 'From what to what.' }),
  'Each field that has changed, by its name.',
)

const fields = z
  .array(text('The name of a field.'))
  .meta({ description: 'The names of the fields that were changed, and nothing of what they hold.' })

/** One kind of event: the types that have the same data. */
function eventOf<const Types extends readonly [EventType, ...EventType[]], Data extends z.ZodRawShape>(
  id: string,
  types: Types,
  data: Data,
  example: z.input<z.ZodObject<Data>>,
) {
  return z
    .object({
      ...head,
      type: z.enum(types).meta({ description: 'What happened.' }),
      data: z.object(data).meta({ description: 'What it is about.' }),
    })
    .meta({
      id,
      description: types.map((type) => `- \`${type}\`: ${HAPPENED[type]}`).join('\n'),
      examples: [{ ...exampleHead, type: types[0], data: example }],
    })
}

const ofUser = { user_id: text('The id of the user.') }
const ofAccess = {
  ...ofUser,
  product_id: text('The id of the product.'),
  product_access_id: text('The id of the access.'),
}
const ofToken = { access_token_id: text('The id of the access token.') }
const ofStore = { store_id: text('The id of the store.') }
const ofProduct = { product_id: text('The id of the product.') }
const ofCustomField = { custom_field_key: text('The key of the custom field.') }
const ofEndpoint = { webhook_endpoint_id: text('The id of the webhook endpoint.') }

const exampleOfAccess = { user_id: '12', product_id: '4', product_access_id: '13' }
const dueDate = { access_due_date: { from: null, to: '2027-12-31T00:00:00.000Z' } }

const kinds = [
  eventOf('UserEvent', ['user.created', 'user.erased'], ofUser, { user_id: '12' }),
  eventOf('UserUpdatedEvent', ['user.updated'], { ...ofUser, fields }, { user_id: '12', fields: ['email', 'phone'] }),
  eventOf(
    'ProductAccessEvent',
    ['product_access.granted', 'product_access.expiring', 'product_access.expired'],
    ofAccess,
    exampleOfAccess,
  ),
  eventOf(
    'ProductAccessUpdatedEvent',
    ['product_access.updated'],
    { ...ofAccess, changes },
    { ...exampleOfAccess, changes: dueDate },
  ),
  eventOf(
    'ProductAccessProgressedEvent',
    ['product_access.progressed'],
    { ...ofAccess, fields },
    { ...exampleOfAccess, fields: ['progress'] },
  ),
  eventOf('AccessTokenEvent', ['access_token.created', 'access_token.rotated', 'access_token.revoked'], ofToken, {
    access_token_id: '2',
  }),
  eventOf(
    'AccessTokenUpdatedEvent',
    ['access_token.updated'],
    { ...ofToken, changes },
    { access_token_id: '2', changes: { name: { from: 'Checkout', to: 'Shop' } } },
  ),
  eventOf('StoreEvent', ['store.created', 'store.restored'], ofStore, { store_id: 'demo' }),
  eventOf(
    'StoreUpdatedEvent',
    ['store.updated'],
    { ...ofStore, changes },
    { store_id: 'demo', changes: { suspended: { from: false, to: true } } },
  ),
  eventOf('ProductEvent', ['product.created', 'product.deleted'], ofProduct, { product_id: '4' }),
  eventOf(
    'ProductUpdatedEvent',
    ['product.updated'],
    { ...ofProduct, changes },
    { product_id: '4', changes: { expiration_days: { from: 365, to: null } } },
  ),
  eventOf('CustomFieldEvent', ['custom_field.created', 'custom_field.deleted'], ofCustomField, {
    custom_field_key: 'department',
  }),
  eventOf(
    'CustomFieldUpdatedEvent',
    ['custom_field.updated'],
    { ...ofCustomField, changes },
    { custom_field_key: 'department', changes: { label: { from: null, to: 'Department' } } },
  ),
  eventOf(
    'WebhookEndpointEvent',
    ['webhook_endpoint.created', 'webhook_endpoint.deleted', 'webhook_endpoint.disabled', 'webhook_endpoint.enabled'],
    ofEndpoint,
    { webhook_endpoint_id: '5' },
  ),
  eventOf(
    'WebhookEndpointUpdatedEvent',
    ['webhook_endpoint.updated'],
    { ...ofEndpoint, changes },
    { webhook_endpoint_id: '5', changes: { types: { from: ['user.created'], to: null } } },
  ),
  eventOf(
    'OperatorEvent',
    ['operator.created', 'operator.revoked'],
    { operator_id: text('The id of the operator.') },
    { operator_id: '3' },
  ),
] as const

const event = describes<ReturnType<typeof toEvent>>()(
  z
    .discriminatedUnion('type', kinds)
    .meta({ id: 'Event', description: 'Something that happened; `type` tells what, and with it what `data` holds.' }),
)

const example = {
  ...exampleHead,
  type: 'product_access.updated' as const,
  data: { ...exampleOfAccess, changes: dueDate },
}

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

const listQuery = queryOf('listEvents', listEventsQuery, {
  type: 'The events of this type.',
  user_id: 'The events of this user and of the accesses of this user.',
  product_access_id: 'The events of this access.',
  after:
    'The id of the last event that you have: `cursor` or `next` of the page before. Left out: from the oldest that is kept. One that lies before that is 410, one beyond the newest event 422.',
})

const historyQuery = queryOf('listHistory', listHistoryQuery, {})

const page = answer('EventPage', {
  description: 'A page of events, the oldest first.',
  schema: eventPage,
  example: { data: [example], next: null, cursor: '14' },
})

const history = pageAnswer('EventHistoryPage', {
  description: 'A page of events, the newest first.',
  record: event,
  example,
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
    query: listQuery,
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
    query: listQuery,
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
