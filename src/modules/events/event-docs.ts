/** Events as the feed shows them and as webhooks post them: one schema for the types of one subject that show the same. */
import { EVENT_TYPES, EVENTS, type EventType } from '../../change/event-types.ts'
import type { EVENT_IDS, toEvent } from './event-json.ts'
import { pascalCase, REQUEST_ID } from '../../openapi/errors.ts'
import { EVENT_TEXTS } from './event-texts.ts'
import {
  anyOf,
  choice,
  constant,
  dictionary,
  type Field,
  type Fields,
  list,
  component,
  nullable,
  object,
  openChoice,
  optional,
  resource,
  text,
  time,
} from '../../openapi/fields.ts'

type EventBody = ReturnType<typeof toEvent>
type Actor = EventBody['actor']

export const actor = component(
  'Actor',
  anyOf(
    [
      object<Extract<Actor, { type: 'access_token' }>>({
        type: constant('access_token', 'An integrator.'),
        id: text('The id of the token.', '2'),
        name: text('What the token is for.', 'Checkout'),
      }),
      object<{ type: 'operator'; id: string | null; name?: string }>({
        type: constant('operator', 'An operator.'),
        id: nullable(text('The id of the operator. Null for the root.', '3')),
        name: optional(
          text('Who the operator is: `root` for the root. Others have a name only in responses under `/admin`.'),
        ),
      }),
      object<Extract<Actor, { type: 'system' }>>({ type: constant('system', 'The service itself.') }),
    ],
    'Who caused the event.',
  ),
)

const knownType = component<EventType>(
  'EventType',
  choice(EVENT_TYPES, 'The types of events that this version writes.'),
)

export function eventType<T extends string>(description: string, example?: NoInfer<T>): Field<T> {
  return openChoice(knownType, `${description} Types may be added.`, example)
}

const changedValue = component('ChangedValue', {
  schema: {
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
      { type: 'null' },
    ],
    description: 'A value of a field, as the resource shows it. Null if it has none.',
  },
  example: null,
})

const change = resource('Change', 'The values before and after.', { from: changedValue, to: changedValue })

type Ids = { [Subject in keyof typeof EVENT_IDS]: Fields<ReturnType<(typeof EVENT_IDS)[Subject]>> }

/** The ids that an event shows, by its subject. */
export const ids: Ids = {
  user: { user_id: text('The id of the user.', '12') },
  product_access: {
    user_id: text('The id of the user.', '12'),
    product_id: text('The id of the product.', '4'),
    product_access_id: text('The id of the access.', '13'),
  },
  access_token: { access_token_id: text('The id of the access token.', '2') },
  store: {
    store_id: nullable(text('The id of the store. Null if the events of operators were restored.', 'demo')),
  },
  product: { product_id: text('The id of the product.', '4') },
  custom_field: { custom_field_key: text('The key of the custom field.', 'department') },
  webhook_endpoint: { webhook_endpoint_id: text('The id of the webhook endpoint.', '5') },
  bulk_change: { bulk_change_id: text('The id of the bulk change.', '21') },
  operator: { operator_id: text('The id of the operator.', '3') },
}

/** An example of `changes` or `fields`, for each type that shows them. */
const DETAILS: { [Type in EventType as (typeof EVENTS)[Type]['shows'] extends 'ids' ? never : Type]: object } = {
  'user.updated': ['email', 'phone'],
  'product_access.updated': { access_due_date: { from: null, to: '2027-12-31T00:00:00.000Z' } },
  'product_access.progressed': ['progress'],
  'access_token.updated': { name: { from: 'Checkout', to: 'Shop' } },
  'store.updated': { suspended: { from: false, to: true } },
  'product.updated': { expiration_days: { from: 365, to: null } },
  'custom_field.updated': { label: { from: null, to: 'Department' } },
  'operator.updated': ['role', 'stores'],
  'webhook_endpoint.updated': { types: { from: ['user.created'], to: null } },
}

const detailsByType: Readonly<Record<string, object>> = DETAILS

function detailsOf(type: EventType) {
  const { shows } = EVENTS[type]
  const example = detailsByType[type] ?? {}
  const changes = dictionary(change, 'The fields that have changed, by name.', example)
  const fields = list(text('The name of a field.', ''), 'The names of the fields that have changed, without values.')
  if (shows === 'ids') return {}
  if (shows === 'changes') {
    const bulk_change_id = optional(text('The bulk change that has changed the access, if one has.'))
    return type === 'product_access.updated' ? { changes, bulk_change_id } : { changes }
  }
  if (shows === 'fields') return { fields: { ...fields, example } }
  return { fields: optional({ ...fields, example: ['url'] }), changes: optional(changes) }
}

/** The name of all kinds of events together. A schema named `Event` would hide the class of this name in TypeScript. */
const ALL = 'StoreEvent'

/** The types are those that share a subject and show the same. */
function describeEvent(types: [EventType, ...EventType[]]): Field<EventBody> {
  const [first] = types
  const { subject, shows } = EVENTS[first]
  // Declared here, or its type would be inferred from that of all events, whose ids differ.
  const data = object({ ...ids[subject], ...detailsOf(first) }, 'The record that the event is about.')
  const event = object<EventBody>(
    {
      id: text('The number of the event in its store. The numbers have no gaps.', '14'),
      timestamp: time('When it was committed.'),
      store_id: nullable(text('The store. Null for events of operators.', 'demo')),
      request_id: nullable(
        text('The `X-Request-Id` of the request. Null if the service caused the event.', REQUEST_ID),
      ),
      actor,
      type: choice(types, 'What has happened.', first),
      data,
    },
    types.map((type) => `- \`${type}\`: ${EVENT_TEXTS[type]}`).join('\n'),
  )
  const name = `${pascalCase(shows === 'ids' ? subject : first)}Event`
  return namedEvent(name === ALL ? 'StoreLifecycleEvent' : name, event)
}

/** With its example, which the request of a webhook shows. */
export function namedEvent<T>(name: string, { schema, ...field }: Field<T>): Field<T> {
  return component(name, { ...field, schema: { ...schema, examples: [field.example] } })
}

const groups = Map.groupBy(EVENT_TYPES, (type) => `${EVENTS[type].subject} ${EVENTS[type].shows}`)

const kinds = [...groups.values()].flatMap(([first, ...rest]) =>
  first === undefined ? [] : [{ types: [first, ...rest], field: describeEvent([first, ...rest]) }],
)

export const eventsByType = new Map(kinds.flatMap(({ types, field }) => types.map((type) => [type, field] as const)))

const mapping = Object.fromEntries([...eventsByType].map(([type, { schema }]) => [type, schema.$ref ?? '']))

export const event: Field<EventBody> = component(ALL, {
  schema: {
    oneOf: kinds.map(({ field }) => field.schema),
    type: 'object',
    discriminator: { propertyName: 'type', mapping },
    description:
      'Something that has happened. `type` says what, and determines the fields of `data`. Types may be added, and those are not listed here: ignore an event whose type you do not know.',
  },
  example: eventsByType.get('product_access.updated')?.example,
})
