/** An event, as the feed shows it and as it is posted to webhook endpoints: one schema for the types with the same data. */
import * as z from 'zod'
import type { EventType } from '../domain/events/event-types.ts'
import type { toEvent } from '../wire/events.ts'
import { describes } from './describes.ts'
import { HAPPENED } from './event-types.ts'
import { dictionary, text, time } from './fields.ts'

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
const ofStore = {
  store_id: text('The id of the store; null where the numbers of the operators were restored.').nullable(),
}
const ofProduct = { product_id: text('The id of the product.') }
const ofCustomField = { custom_field_key: text('The key of the custom field.') }
const ofEndpoint = { webhook_endpoint_id: text('The id of the webhook endpoint.') }

const exampleOfAccess = { user_id: '12', product_id: '4', product_access_id: '13' }
const dueDate = { access_due_date: { from: null, to: '2027-12-31T00:00:00.000Z' } }

export const kinds = [
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

export const event = describes<ReturnType<typeof toEvent>>()(
  z
    .discriminatedUnion('type', kinds)
    .meta({ id: 'Event', description: 'Something that happened; `type` tells what, and with it what `data` holds.' }),
)

export const eventExample = {
  ...exampleHead,
  type: 'product_access.updated' as const,
  data: { ...exampleOfAccess, changes: dueDate },
}
