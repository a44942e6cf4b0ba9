/** A sentence for each type of event, in Portuguese. Where the product is known, it is part of the sentence. */
import type { EventSentences } from './en.ts'

export const eventSentences: EventSentences = {
  'user.created': () => 'O usuário foi criado.',
  'user.updated': () => 'Os dados do usuário foram alterados.',
  'user.erased': () => 'O usuário foi excluído.',
  'product_access.granted': (product) =>
    product === undefined ? 'Um acesso foi concedido.' : `O acesso a ${product} foi concedido.`,
  'product_access.updated': (product) =>
    product === undefined ? 'Um acesso foi alterado.' : `O acesso a ${product} foi alterado.`,
  'product_access.progressed': (product) =>
    product === undefined ? 'Um progresso foi registrado.' : `O progresso em ${product} foi registrado.`,
  'product_access.expiring': (product) =>
    product === undefined ? 'Um acesso expira em breve.' : `O acesso a ${product} expira em breve.`,
  'product_access.expired': (product) =>
    product === undefined ? 'Um acesso expirou.' : `O acesso a ${product} expirou.`,
  'access_token.created': () => 'Um token de acesso foi criado.',
  'access_token.updated': () => 'Um token de acesso foi alterado.',
  'access_token.rotated': () => 'Um token de acesso recebeu um novo segredo.',
  'access_token.revoked': () => 'Um token de acesso foi revogado.',
  'store.created': () => 'A loja foi criada.',
  'store.updated': () => 'A loja foi alterada.',
  'store.restored': () => 'O banco de dados foi restaurado de um backup.',
  'product.created': () => 'Um produto foi criado.',
  'product.updated': () => 'Um produto foi alterado.',
  'product.deleted': () => 'Um produto foi excluído.',
  'custom_field.created': () => 'Um campo personalizado foi criado.',
  'custom_field.updated': () => 'Um campo personalizado foi alterado.',
  'custom_field.deleted': () => 'Um campo personalizado foi excluído.',
  'webhook_endpoint.created': () => 'Um endpoint de webhook foi criado.',
  'webhook_endpoint.updated': () => 'Um endpoint de webhook foi alterado.',
  'webhook_endpoint.deleted': () => 'Um endpoint de webhook foi excluído.',
  'webhook_endpoint.disabled': () => 'Um endpoint de webhook foi desativado.',
  'webhook_endpoint.enabled': () => 'Um endpoint de webhook foi ativado.',
  'bulk_change.created': () => 'Uma alteração em massa foi iniciada.',
  'bulk_change.canceled': () => 'Uma alteração em massa foi cancelada.',
  'bulk_change.finished': () => 'Uma alteração em massa terminou.',
  'operator.created': () => 'Um operador foi adicionado.',
  'operator.updated': () => 'Um operador foi alterado.',
  'operator.revoked': () => 'Um operador foi revogado.',
}
