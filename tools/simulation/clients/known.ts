/** What clients learn from responses: the records that they use in the steps that follow. */
import type { Store } from './client.ts'
import type { Exchange } from './history.ts'
import { idOf } from '../reference/state.ts'
import { toRow, toRows } from '../rows.ts'

/** Makes the users and accesses that a response shows as created available to all clients of the store. */
export function noteCreated({ users, accesses, markers }: Store, exchange: Exchange): void {
  const { request, status, json, isReplay } = exchange
  const isBatch = request.path.endsWith('/batch')
  const results = isBatch ? toRows(json['results']) : [json]
  const items = isBatch ? toRows(toRow(request.body)['items']) : [json]
  for (const [i, result] of results.entries()) {
    const isNew = !isReplay && (isBatch ? result['status'] : status) === 201
    // A dry run has no ids.
    if (!isNew || result['id'] === undefined) continue
    const id = idOf(result)
    if (!request.path.includes('/product_accesses')) {
      users.add(id)
      markers.set(id, String(items[i]?.['external_id']))
    } else if (!accesses.includes(id)) accesses.push(id)
  }
}
