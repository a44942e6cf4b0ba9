/** What the statements of a poll have in common: all are about one endpoint. */
import { and, eq, isNull } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'

export const endpointParams = params('endpoint_id')

export const isEndpoint = eq(webhook_endpoints.id, endpointParams.endpoint_id)

export const isEnabledEndpoint = and(isEndpoint, isNull(webhook_endpoints.disabled_at))

export const isOfPolledEndpoint = eq(webhook_deliveries.endpoint_id, endpointParams.endpoint_id)
