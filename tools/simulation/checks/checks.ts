/** Checks what must be nowhere: an erased person in a database, and personal data, secrets or another store's data. */
import * as contract from '../contract.ts'
import type { Evidence, StoreEvidence } from './evidence.ts'
import { describe } from '../clients/history.ts'
import { dataOf } from '../rows.ts'
import { isOfStore } from './store-history.ts'

/** An erased person is not in the database, unless somebody has created the same person again. */
export function checkErasures({ tables }: Evidence, { store, events, users }: StoreEvidence): string[] {
  const shown = new Set(users.map(({ external_id }) => external_id))
  const dump = [...tables.values()].join('')
  const erased = events.filter(({ type }) => type === 'user.erased').map((event) => String(dataOf(event)['user_id']))
  const markers = erased.flatMap((user) => store.markers.get(user) ?? [])
  return markers
    .filter((marker) => dump.includes(marker) && !shown.has(marker))
    .map((marker) => `the database still contains ${marker}`)
}

/**
 * No log line, webhook or event contains personal data or a secret, and no response for one store contains data of
 * another one.
 */
export function checkSecrecy({ world, history, stores, deliveries, tables }: Evidence): string[] {
  const isSecret = (text: string) => text.includes(contract.PERSONAL) || contract.SECRETS.test(text)
  const impersonal = ['events', 'idempotency_keys', 'webhook_deliveries', 'stores', 'products']
  const leaks = stores.flatMap(({ id }) => {
    const isOf = isOfStore(id, history.exchanges)
    const person = contract.personal(id, '').trimEnd()
    return history.exchanges.filter((exchange) => exchange.text.includes(person) && !isOf(exchange))
  })
  return [
    ...world.logs.filter(isSecret).map((line) => `a log line contains personal data or a secret: ${line}`),
    ...deliveries
      .filter(({ body }) => isSecret(body))
      .map(({ body }) => `a webhook contains personal data or a secret: ${body}`),
    ...impersonal
      .filter((table) => isSecret(tables.get(table) ?? ''))
      .map((table) => `table ${table} contains personal data or a secret`),
    ...leaks.map((exchange) => `a response contains data of another store: ${describe(exchange)}`),
  ]
}
