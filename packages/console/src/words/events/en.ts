/** A sentence for each type of event, in English. Where the product is known, it is part of the sentence. */
import type { Schemas } from '../../api/client.ts'

export type EventSentences = Record<Schemas['EventType'], (product?: string) => string>

export const eventSentences: EventSentences = {
  'user.created': () => 'The user was created.',
  'user.updated': () => 'The user’s data was changed.',
  'user.erased': () => 'The user was erased.',
  'product_access.granted': (product) =>
    product === undefined ? 'An access was granted.' : `Access to ${product} was granted.`,
  'product_access.updated': (product) =>
    product === undefined ? 'An access was changed.' : `Access to ${product} was changed.`,
  'product_access.progressed': (product) =>
    product === undefined ? 'Progress was recorded.' : `Progress in ${product} was recorded.`,
  'product_access.expiring': (product) =>
    product === undefined ? 'An access ends soon.' : `Access to ${product} ends soon.`,
  'product_access.expired': (product) =>
    product === undefined ? 'An access has ended.' : `Access to ${product} has ended.`,
  'access_token.created': () => 'An access token was created.',
  'access_token.updated': () => 'An access token was changed.',
  'access_token.rotated': () => 'An access token got a new secret.',
  'access_token.revoked': () => 'An access token was revoked.',
  'store.created': () => 'The store was created.',
  'store.updated': () => 'The store was changed.',
  'store.restored': () => 'The database was restored from a backup.',
  'product.created': () => 'A product was created.',
  'product.updated': () => 'A product was changed.',
  'product.deleted': () => 'A product was deleted.',
  'custom_field.created': () => 'A custom field was created.',
  'custom_field.updated': () => 'A custom field was changed.',
  'custom_field.deleted': () => 'A custom field was deleted.',
  'webhook_endpoint.created': () => 'A webhook endpoint was created.',
  'webhook_endpoint.updated': () => 'A webhook endpoint was changed.',
  'webhook_endpoint.deleted': () => 'A webhook endpoint was deleted.',
  'webhook_endpoint.disabled': () => 'A webhook endpoint was disabled.',
  'webhook_endpoint.enabled': () => 'A webhook endpoint was enabled.',
  'bulk_change.created': () => 'A bulk change was started.',
  'bulk_change.canceled': () => 'A bulk change was canceled.',
  'bulk_change.finished': () => 'A bulk change has finished.',
  'operator.created': () => 'An operator was added.',
  'operator.updated': () => 'An operator was changed.',
  'operator.revoked': () => 'An operator was revoked.',
}
