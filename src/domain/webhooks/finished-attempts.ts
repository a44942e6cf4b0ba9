/** An attempt to deliver an event that has ended, and the condition under which its result is recorded. */
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { webhook_deliveries } from '../../db/schema.ts'
import { orm, params, type ValuesOf } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { probeParams, probeValues, randomFactor } from './endpoint-state.ts'
import { endpointParams } from './polled-endpoint.ts'
import { type AttemptResult, isSuccess } from './send.ts'

export interface FinishedAttempt {
  endpoint_id: number
  event_id: number
  /** The lease under which the delivery was sent; null for a redelivery, which has none (redeliver.ts). */
  lease: string | null
  /** How many delays of the retry schedule the delivery had used up. */
  retries: number
  /** True if the endpoint was down when the delivery was leased. */
  isProbe: boolean
  result: AttemptResult
}

export const resultParams = {
  ...endpointParams,
  ...probeParams,
  ...params('event_id', 'lease', 'status', 'succeeded', 'started_at', 'delay_ms', 'is_last', 'is_probe'),
}

export type ResultValues = ReturnType<typeof resultValues>

export function resultValues({ endpoint_id, event_id, lease, retries, isProbe, result }: FinishedAttempt) {
  return {
    endpoint_id,
    event_id,
    lease,
    status: result.status,
    succeeded: isSuccess(result.status) ? 1 : 0,
    started_at: result.started_at,
    delay_ms: delayAfter(retries),
    is_last: retries >= WEBHOOK.retries && !isProbe ? 1 : 0,
    is_probe: isProbe ? 1 : 0,
    ...probeValues(),
  } satisfies ValuesOf<typeof resultParams>
}

/** Milliseconds until the next attempt. */
function delayAfter(retries: number): number {
  const { delaysSeconds } = WEBHOOK
  const seconds = delaysSeconds[retries] ?? delaysSeconds.at(-1) ?? 0
  return Math.round(seconds * 1000 * randomFactor())
}

/**
 * True for the delivery as long as this result is not recorded: it still has the lease of the attempt. A redelivery has no
 * lease. Its result is not recorded as long as every attempt that is recorded began earlier.
 */
export const isUnrecorded = and(
  eq(webhook_deliveries.endpoint_id, resultParams.endpoint_id),
  eq(webhook_deliveries.event_id, resultParams.event_id),
  or(
    eq(webhook_deliveries.lease, resultParams.lease),
    and(
      isNull(resultParams.lease),
      lt(sql`coalesce(${webhook_deliveries.last_attempt_at}, 0)`, resultParams.started_at),
    ),
  ),
)

export const selectUnrecorded = () =>
  orm.select({ event_id: webhook_deliveries.event_id }).from(webhook_deliveries).where(isUnrecorded)
