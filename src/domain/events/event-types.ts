/**
 * The table of events. The types, the serializer (wire/events.ts), the OpenAPI document and the table in docs/events.md
 * follow from it.
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
  /** What has happened, for the docs. */
  happens: string
}

export const EVENTS = {
  'user.created': { subject: 'user', shows: 'ids', happens: 'A user was created on v1, on v3 or in a batch.' },
  'user.updated': {
    subject: 'user',
    shows: 'fields',
    happens: 'Fields of a user have changed. The event names the fields, without their values.',
  },
  'user.erased': {
    subject: 'user',
    shows: 'ids',
    happens: 'A user was erased, together with all their accesses. The id is never used again.',
  },
  'product_access.granted': {
    subject: 'product_access',
    shows: 'ids',
    happens: 'A user was given access to a product.',
  },
  'product_access.updated': {
    subject: 'product_access',
    shows: 'changes',
    happens:
      'The status or the due date of an access has changed. If a bulk change has changed it, `data` has `bulk_change_id`.',
  },
  'product_access.progressed': {
    subject: 'product_access',
    shows: 'fields',
    happens: 'Progress, a grade or a certificate was recorded. The event names the fields, without their values.',
  },
  'product_access.expiring': {
    subject: 'product_access',
    shows: 'ids',
    happens:
      'An access ends soon: its due date is at most `expiry_notice_days` away, a setting of the store. The service writes this event by itself, once for each due date.',
  },
  'product_access.expired': {
    subject: 'product_access',
    shows: 'ids',
    happens:
      'The due date of an open access has passed. The service writes this event by itself, once for each due date and usually within two minutes.',
  },
  'access_token.created': { subject: 'access_token', shows: 'ids', happens: 'An access token was issued.' },
  'access_token.updated': {
    subject: 'access_token',
    shows: 'changes',
    happens: 'The name, the scopes or the expiry of an access token have changed.',
  },
  'access_token.rotated': { subject: 'access_token', shows: 'ids', happens: 'An access token got a new secret.' },
  'access_token.revoked': { subject: 'access_token', shows: 'ids', happens: 'An access token was revoked.' },
  'store.created': { subject: 'store', shows: 'ids', happens: 'The store was created. This is its first event.' },
  'store.updated': {
    subject: 'store',
    shows: 'changes',
    happens: 'The name, the language, the suspension or the expiry notice of the store has changed.',
  },
  'store.restored': {
    subject: 'store',
    shows: 'ids',
    happens:
      'The database was restored to an earlier time. The ids between the previous event and this one are a gap: if you have read events from the gap, what they report may have been undone.',
  },
  'product.created': { subject: 'product', shows: 'ids', happens: 'A product was created.' },
  'product.updated': { subject: 'product', shows: 'changes', happens: 'Fields of a product have changed.' },
  'product.deleted': { subject: 'product', shows: 'ids', happens: 'A product was deleted.' },
  'custom_field.created': { subject: 'custom_field', shows: 'ids', happens: 'A custom field was defined.' },
  'custom_field.updated': {
    subject: 'custom_field',
    shows: 'changes',
    happens: 'The label of a custom field has changed.',
  },
  'custom_field.deleted': {
    subject: 'custom_field',
    shows: 'ids',
    happens: 'A custom field was removed. Users keep the values that they have.',
  },
  'webhook_endpoint.created': {
    subject: 'webhook_endpoint',
    shows: 'ids',
    happens: 'A webhook endpoint was created. It receives the events after this one.',
  },
  'webhook_endpoint.updated': {
    subject: 'webhook_endpoint',
    shows: 'fields and changes',
    happens:
      'The URL, the types or the secret of a webhook endpoint has changed. A new URL is shown as `fields: ["url"]`, because URLs may contain secrets, and new types as `changes`. A new secret shows neither.',
  },
  'webhook_endpoint.deleted': { subject: 'webhook_endpoint', shows: 'ids', happens: 'A webhook endpoint was deleted.' },
  'webhook_endpoint.disabled': {
    subject: 'webhook_endpoint',
    shows: 'ids',
    happens:
      'The service has disabled a webhook endpoint, because it responded 410 or had no success for three days. Nothing more is sent to it.',
  },
  'webhook_endpoint.enabled': {
    subject: 'webhook_endpoint',
    shows: 'ids',
    happens: 'A webhook endpoint that was disabled or failing was enabled. Delivery resumes at once.',
  },
  'bulk_change.created': {
    subject: 'bulk_change',
    shows: 'ids',
    happens:
      'A bulk change was created. Each access that it changes has its own event, with `bulk_change_id` in `data`.',
  },
  'bulk_change.canceled': {
    subject: 'bulk_change',
    shows: 'ids',
    happens: 'A bulk change was canceled. What it has changed stays.',
  },
  'bulk_change.finished': {
    subject: 'bulk_change',
    shows: 'ids',
    happens: 'A bulk change has ended: it is `done`, or it has `failed` after an hour without progress.',
  },
  'operator.created': { subject: 'operator', shows: 'ids', happens: 'The root has created an operator.' },
  'operator.updated': {
    subject: 'operator',
    shows: 'fields',
    happens: 'The root has changed an operator. The event names the fields, without their values.',
  },
  'operator.revoked': { subject: 'operator', shows: 'ids', happens: 'The root has revoked an operator.' },
} as const satisfies Record<`${EventSubject}.${string}`, EventKind>

/** What `test` posts to an endpoint. It is no event of a store, and in no feed. */
export const TEST_EVENT = {
  type: 'webhook_endpoint.test',
  happens: 'Somebody tests an endpoint: this is posted to it, and to no other. It is in no feed.',
} as const

export type EventType = keyof typeof EVENTS

const isEventType = (name: string): name is EventType => Object.hasOwn(EVENTS, name)

export const EVENT_TYPES = Object.keys(EVENTS).filter(isEventType)
