/** What the statements of a poll have in common: all are about one endpoint. */
import { and, eq, isNull } from 'drizzle-orm'
import { storeOf } from '../../db/ids.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'

/**
 * The values of the request context in a batch that records a result or claims deliveries. The service itself acts, so
 * there is no caller, and the request id is new: by it the batch recognizes an event that it has inserted.
 */
export function jobContext(endpoint_id: number, now: number) {
  return { store: storeOf(endpoint_id), store_slug: null, request_id: crypto.randomUUID(), now }
}

export const endpointParams = params('endpoint_id')

export const isEndpoint = eq(webhook_endpoints.id, endpointParams.endpoint_id)

export const isEnabledEndpoint = and(isEndpoint, isNull(webhook_endpoints.disabled_at))

export const isOfPolledEndpoint = eq(webhook_deliveries.endpoint_id, endpointParams.endpoint_id)
