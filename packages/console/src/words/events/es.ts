/** A sentence for each type of event, in Spanish. Where the product is known, it is part of the sentence. */
import type { EventSentences } from './en.ts'

export const eventSentences: EventSentences = {
  'user.created': () => 'Se creó el usuario.',
  'user.updated': () => 'Se cambiaron los datos del usuario.',
  'user.erased': () => 'Se eliminó el usuario.',
  'product_access.granted': (product) =>
    product === undefined ? 'Se concedió un acceso.' : `Se concedió acceso a ${product}.`,
  'product_access.updated': (product) =>
    product === undefined ? 'Se cambió un acceso.' : `Se cambió el acceso a ${product}.`,
  'product_access.progressed': (product) =>
    product === undefined ? 'Se registró un progreso.' : `Se registró el progreso en ${product}.`,
  'product_access.expiring': (product) =>
    product === undefined ? 'Un acceso vence pronto.' : `El acceso a ${product} vence pronto.`,
  'product_access.expired': (product) =>
    product === undefined ? 'Un acceso venció.' : `El acceso a ${product} venció.`,
  'access_token.created': () => 'Se creó un token de acceso.',
  'access_token.updated': () => 'Se cambió un token de acceso.',
  'access_token.rotated': () => 'Un token de acceso recibió un secreto nuevo.',
  'access_token.revoked': () => 'Se revocó un token de acceso.',
  'store.created': () => 'Se creó la tienda.',
  'store.updated': () => 'Se cambió la tienda.',
  'store.restored': () => 'Se restauró la base de datos desde una copia.',
  'product.created': () => 'Se creó un producto.',
  'product.updated': () => 'Se cambió un producto.',
  'product.deleted': () => 'Se eliminó un producto.',
  'custom_field.created': () => 'Se creó un campo personalizado.',
  'custom_field.updated': () => 'Se cambió un campo personalizado.',
  'custom_field.deleted': () => 'Se eliminó un campo personalizado.',
  'webhook_endpoint.created': () => 'Se creó un endpoint de webhook.',
  'webhook_endpoint.updated': () => 'Se cambió un endpoint de webhook.',
  'webhook_endpoint.deleted': () => 'Se eliminó un endpoint de webhook.',
  'webhook_endpoint.disabled': () => 'Se desactivó un endpoint de webhook.',
  'webhook_endpoint.enabled': () => 'Se activó un endpoint de webhook.',
  'bulk_change.created': () => 'Se inició un cambio masivo.',
  'bulk_change.canceled': () => 'Se canceló un cambio masivo.',
  'bulk_change.finished': () => 'Terminó un cambio masivo.',
  'operator.created': () => 'Se añadió un operador.',
  'operator.updated': () => 'Se cambió un operador.',
  'operator.revoked': () => 'Se revocó un operador.',
}
