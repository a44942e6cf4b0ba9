/**
 * The table of events. The types, the serializer (src/modules/events/event-json.ts), the OpenAPI document and the table in docs/events.md
 * follow from it. src/modules/events/event-texts.ts says what each means.
 */

type EventSubject =
  | 'user'
  | 'product_access'
  | 'access_token'
  | 'store'
  | 'product'
  | 'custom_field'
  | 'webhook_endpoint'
  | 'bulk_change'
  | 'operator'

/**
 * What an event shows besides ids: the values before and after (`changes`), or only the names of the fields (`fields`).
 * Events outlive an erased user and are read by whoever may read the feed, so they must not hold personal data or secrets.
 * With 'fields and changes' an event has each of the two only if it is not empty.
 */
export type EventDetails = 'ids' | 'changes' | 'fields' | 'fields and changes'

interface EventKind {
  /** What the event is about. It shows the ids of this record. */
  subject: EventSubject
  shows: EventDetails
}

export const EVENTS = {
  'user.created': { subject: 'user', shows: 'ids' },
  'user.updated': { subject: 'user', shows: 'fields' },
  'user.erased': { subject: 'user', shows: 'ids' },
  'product_access.granted': { subject: 'product_access', shows: 'ids' },
  'product_access.updated': { subject: 'product_access', shows: 'changes' },
  'product_access.progressed': { subject: 'product_access', shows: 'fields' },
  'product_access.expiring': { subject: 'product_access', shows: 'ids' },
  'product_access.expired': { subject: 'product_access', shows: 'ids' },
  'access_token.created': { subject: 'access_token', shows: 'ids' },
  'access_token.updated': { subject: 'access_token', shows: 'changes' },
  'access_token.rotated': { subject: 'access_token', shows: 'ids' },
  'access_token.revoked': { subject: 'access_token', shows: 'ids' },
  'store.created': { subject: 'store', shows: 'ids' },
  'store.updated': { subject: 'store', shows: 'changes' },
  'store.restored': { subject: 'store', shows: 'ids' },
  'product.created': { subject: 'product', shows: 'ids' },
  'product.updated': { subject: 'product', shows: 'changes' },
  'product.deleted': { subject: 'product', shows: 'ids' },
  'custom_field.created': { subject: 'custom_field', shows: 'ids' },
  'custom_field.updated': { subject: 'custom_field', shows: 'changes' },
  'custom_field.deleted': { subject: 'custom_field', shows: 'ids' },
  'webhook_endpoint.created': { subject: 'webhook_endpoint', shows: 'ids' },
  'webhook_endpoint.updated': { subject: 'webhook_endpoint', shows: 'fields and changes' },
  'webhook_endpoint.deleted': { subject: 'webhook_endpoint', shows: 'ids' },
  'webhook_endpoint.disabled': { subject: 'webhook_endpoint', shows: 'ids' },
  'webhook_endpoint.enabled': { subject: 'webhook_endpoint', shows: 'ids' },
  'bulk_change.created': { subject: 'bulk_change', shows: 'ids' },
  'bulk_change.canceled': { subject: 'bulk_change', shows: 'ids' },
  'bulk_change.finished': { subject: 'bulk_change', shows: 'ids' },
  'operator.created': { subject: 'operator', shows: 'ids' },
  'operator.updated': { subject: 'operator', shows: 'fields' },
  'operator.revoked': { subject: 'operator', shows: 'ids' },
} as const satisfies Record<`${EventSubject}.${string}`, EventKind>

/** What `test` posts to an endpoint. It is no event of a store, and in no feed. */
export const TEST_EVENT = 'webhook_endpoint.test' as const

export type EventType = keyof typeof EVENTS

const isEventType = (name: string): name is EventType => Object.hasOwn(EVENTS, name)

export const EVENT_TYPES = Object.keys(EVENTS).filter(isEventType)
