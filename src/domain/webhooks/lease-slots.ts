/** How many requests an endpoint may have in flight. */
import { and, count, sql } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, params } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { lazy } from '../../lazy.ts'
import { contextParams } from '../change/context.ts'
import { probeParams } from './endpoint-state.ts'
import { isInFlight, isOfEndpoint } from './pending-deliveries.ts'
import { endpointParams, isEnabledEndpoint } from './polled-endpoint.ts'

/** All leases of a poll have the same id, `lease`. The caller can start at most `max_leases` attempts. */
export const leaseParams = { ...endpointParams, ...probeParams, ...params('lease', 'max_leases') }

export const leaseEnd = sql`${contextParams.now} + ${WEBHOOK.leaseMs}`

const { probe_at } = webhook_endpoints

/** An endpoint that is down gets one request: a probe, once its time has come. */
const slots = sql`case when ${probe_at} is null then ${WEBHOOK.inFlight} when ${probe_at} <= ${contextParams.now} then 1 else 0 end`

/** How many deliveries may be leased: 0 if the endpoint is deleted or disabled, or if the caller can send none. */
export const freeSlots = lazy(() => {
  const inFlight = orm.select({ count: count() }).from(webhook_deliveries).where(and(isOfEndpoint, isInFlight))
  const ofEndpoint = orm
    .select({ free: sql`max(0, min(${leaseParams.max_leases}, ${slots} - ${inFlight}))` })
    .from(webhook_endpoints)
    .where(isEnabledEndpoint)
  return sql`coalesce(${ofEndpoint}, 0)`
})
