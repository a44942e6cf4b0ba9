/** Sends the items of a batch. */
import { isObject } from '../../src/lib/json.ts'
import type { ServiceResponse } from './client.ts'
import { Refused } from './request-errors.ts'
import type { Import } from './state.ts'
import { textIn } from './text-in.ts'

/** If the service fails for an item this often while others succeed, the item is the cause and the row fails. */
const ITEM_ATTEMPTS = 5
const ITEM_PAUSE_MS = 10_000

export interface Result {
  status: number
  id: string | undefined
  error: unknown
}

/** The items are JSON. Throws Refused if there is not one result for each. */
export async function postItems(
  {
    client,
    dryRun,
    onExisting,
    neverShorten = false,
  }: Pick<Import, 'client' | 'dryRun' | 'onExisting' | 'neverShorten'>,
  items: string[],
): Promise<{ response: ServiceResponse; results: Result[] }> {
  const never = neverShorten ? '"never_shorten":true,' : ''
  const body = `{"dry_run":${dryRun},"on_existing":"${onExisting}",${never}"items":[${items.join(',')}]}`
  const response = await client.call('POST', '/users/batch', body)
  return { response, results: resultsOf(response, items.length) }
}

function resultsOf(response: ServiceResponse, count: number): Result[] {
  const list = isObject(response.body) && Array.isArray(response.body['results']) ? response.body['results'] : []
  const results = list
    .filter(isObject)
    .map((result) => ({ status: Number(result['status']), id: textIn(result, 'id'), error: result['error'] }))
  // If a result were missing, each one after it would be reported for the wrong row.
  if (results.length !== count || results.some(({ status }) => !(status >= 200 && status <= 599)))
    throw new Refused({ code: 'results', results: results.length, rows: count })
  return results
}

/** Whether the item is to be sent again. */
export function isTemporary(result: Result | undefined, attempts: number): boolean {
  if (result === undefined) return false
  return result.status === 429 || (result.status >= 500 && attempts < ITEM_ATTEMPTS)
}

export function pauseMs({ itemPauseMs = ITEM_PAUSE_MS }: Import, { retryAfter }: ServiceResponse): number {
  return retryAfter === undefined ? itemPauseMs : retryAfter * 1000
}
