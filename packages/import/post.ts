/** Sends the items of a batch. */
import { isObject } from '../../src/lib/json.ts'
import type { ServiceResponse } from './client.ts'
import { Refused } from './request-errors.ts'
import type { Import } from './state.ts'
import { textIn } from './text-in.ts'

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
