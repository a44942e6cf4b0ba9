/** What has happened when each event is written. docs/events.md and the OpenAPI document have it. */
import type { EventType } from '../../change/event-types.ts'

export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  'user.created': 'A user was created on v1, on v3 or in a batch.',
  'user.updated': 'Fields of a user have changed. The event names the fields, without their values.',
  'user.erased': 'A user was erased, together with all their accesses. The id is never used again.',
  'product_access.granted': 'A user was given access to a product.',
  'product_access.updated':
    'The status or the due date of an access has changed. If a bulk change has changed it, `data` has `bulk_change_id`.',
  'product_access.progressed':
    'Progress, a grade or a certificate was recorded. The event names the fields, without their values.',
  'product_access.expiring':
    'An access ends soon: its due date is at most `expiry_notice_days` away, a setting of the store. The service writes this event by itself, once for each due date.',
  'product_access.expired':
    'The due date of an open access has passed. The service writes this event by itself, once for each due date and usually within two minutes.',
  'access_token.created': 'An access token was issued.',
  'access_token.updated': 'The name, the scopes or the expiry of an access token have changed.',
  'access_token.rotated': 'An access token got a new secret.',
  'access_token.revoked': 'An access token was revoked.',
  'store.created': 'The store was created. This is its first event.',
  'store.updated': 'The name, the language, the suspension or the expiry notice of the store has changed.',
  'store.restored':
    'The database was restored to an earlier time. The ids between the previous event and this one are a gap: if you have read events from the gap, what they report may have been undone.',
  'product.created': 'A product was created.',
  'product.updated': 'Fields of a product have changed.',
  'product.deleted': 'A product was deleted.',
  'custom_field.created': 'A custom field was defined.',
  'custom_field.updated': 'The label of a custom field has changed.',
  'custom_field.deleted': 'A custom field was removed. Users keep the values that they have.',
  'webhook_endpoint.created': 'A webhook endpoint was created. It receives the events after this one.',
  'webhook_endpoint.updated':
    'The URL, the types or the secret of a webhook endpoint has changed. A new URL is shown as `fields: ["url"]`, because URLs may contain secrets, and new types as `changes`. A new secret shows neither.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.disabled':
    'The service has disabled a webhook endpoint, because it responded 410 or had no success for three days. Nothing more is sent to it.',
  'webhook_endpoint.enabled': 'A webhook endpoint that was disabled or failing was enabled. Delivery resumes at once.',
  'bulk_change.created':
    'A bulk change was created. Each access that it changes has its own event, with `bulk_change_id` in `data`.',
  'bulk_change.canceled': 'A bulk change was canceled. What it has changed stays.',
  'bulk_change.finished': 'A bulk change has ended: it is `done`, or it has `failed` after an hour without progress.',
  'operator.created': 'The root has created an operator.',
  'operator.updated': 'The root has changed an operator. The event names the fields, without their values.',
  'operator.revoked': 'The root has revoked an operator.',
}

export const TEST_EVENT_TEXT = 'Somebody tests an endpoint: this is posted to it, and to no other. It is in no feed.'
