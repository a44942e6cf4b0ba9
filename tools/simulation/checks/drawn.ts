/** What the service has drawn for a request of a competing client, as its response and its events show it. */
import type { Exchange } from '../clients/history.ts'
import type { Drawn } from '../reference/operation.ts'
import type { State } from '../reference/state.ts'
import { type Row, dataOf } from '../rows.ts'

/** The number of the last event that changed it is a part of the ETag of a record. */
export const etagAfter = (event: Row, id: unknown) => `"${String(id)}-${String(event['id'])}"`

export function setEtag(state: State, event: Row): void {
  const { product_access_id, user_id } = dataOf(event)
  const access = state.accesses.get(String(product_access_id))
  const user = product_access_id === undefined ? state.users.get(String(user_id)) : undefined
  if (access) access.etag = etagAfter(event, product_access_id)
  if (user) user.etag = etagAfter(event, user_id)
}

/** What the service has drawn: as the response shows it or, if there is none, as the events show it. */
export function drawnFor({ status = 0, json, text, headers, wasResent }: Exchange, events: Row[]): Drawn {
  const [first] = events
  const { product_access_id, user_id } = dataOf(first ?? {})
  const requestId = first ? String(first['request_id']) : headers.get('X-Request-Id')
  const shown = status > 0 && status < 300 ? { json, text, shownEtag: headers.get('ETag') } : { json: {} }
  return { ...shown, etag: first ? etagAfter(first, product_access_id ?? user_id) : '', requestId, events, wasResent }
}
