import type { Db } from '../../db/batch.ts'
import type { RequestContext } from '../change/context.ts'
import { type EndpointRecord, getEndpoint } from './endpoints.ts'
import { recordSuccessfulTest } from './recovery.ts'
import { type AttemptResult, isSuccess } from './send.ts'

interface Test {
  /** The number of the endpoint. */
  number: number
  send: (endpoint: EndpointRecord) => Promise<AttemptResult>
}

/**
 * Sends a test at once. Its success counts as that of a delivery; its failure counts for nothing. Throws the errors of the
 * authorization and `not_found`.
 */
export async function testEndpoint(db: Db, context: RequestContext, { number, send }: Test): Promise<AttemptResult> {
  const endpoint = await getEndpoint(db, context, number)
  const result = await send(endpoint)
  if (isSuccess(result.status)) {
    await recordSuccessfulTest(db, endpoint.id)
    // What has waited for the endpoint is due. If it went down only now, the minutely job notifies it.
    if (endpoint.probe_at !== null) db.endpointsToWake.add(endpoint.id)
  }
  return result
}
