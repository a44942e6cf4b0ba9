import type { EventType } from '../domain/events/event-types.ts'

/** What happened; a type that is added does not compile until it is described. */
export const HAPPENED = {
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
  'webhook_endpoint.created': 'A webhook endpoint was created: it is sent what happens after this.',
  'webhook_endpoint.updated':
    'The URL, the types or the secret of a webhook endpoint have changed. A secret is not told.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.disabled':
    'A webhook endpoint answered 410, or had no success for three days; nothing more is sent to it.',
  'webhook_endpoint.enabled': 'A webhook endpoint that was disabled, or failed, goes on at once.',
  'operator.created': 'The root has made an operator.',
  'operator.revoked': 'The root has revoked an operator.',
} as const satisfies Record<EventType, string>
