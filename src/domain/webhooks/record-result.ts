/**
 * Records how an attempt to deliver an event ended: in the health of the endpoint and in the delivery. It may also disable
 * the endpoint (disable.ts). A result is recorded once, however often the batch is sent: each step requires that it is not
 * recorded yet (`isUnrecorded`), and the step that records it, `delivery`, is the last write.
 */
import { and, eq, exists, gt, isNotNull, or, sql } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { contextParams } from '../change/context.ts'
import { disableEndpoint, insertDisabledEvent, selectEndpointsToNotify } from './disable.ts'
import { isUnrecorded, resultParams, type ResultValues, unrecordedDelivery } from './finished-attempts.ts'
import { aheadMs, isEnabledEndpoint, isEndpoint } from './polled-endpoint.ts'

/** The steps that record a result, in their order. Only a failure can disable the endpoint. */
export function recordSteps(result: ResultValues | undefined) {
  const failure = result?.succeeded === 0 ? result : undefined
  return {
    health: result && updateHealth(result),
    disabledEvent: failure && insertDisabledEvent(failure),
    disable: failure && disableEndpoint({}),
    delivery: result && (result.lease === null ? updateRedelivery(result) : updateDelivery(result)),
    endpointsToNotify: failure && selectEndpointsToNotify(failure),
  }
}

const { succeeded, status, started_at, delay_ms, is_last } = resultParams

/** A success writes no row if the attempt before it was a success with the same status: this saves a row per delivery. */
const updateHealth = statement(resultParams, () => {
  const { failures, failing_since, last_status } = webhook_endpoints
  return orm
    .update(webhook_endpoints)
    .set({
      failures: sql`iif(${succeeded}, 0, ${failures} + 1)`,
      failing_since: sql`iif(${succeeded}, null, coalesce(${failing_since}, ${contextParams.now}))`,
      last_status: status,
    })
    .where(
      and(
        isEndpoint,
        exists(unrecordedDelivery),
        or(eq(succeeded, 0), gt(failures, 0), sql`${last_status} is not ${status}`),
      ),
    )
})

/** When the delivery is due again. The endpoint may have been deleted during the attempt. */
const retryAt = sql`${contextParams.now} + ${delay_ms} + coalesce(${aheadMs}, 0)`

const enabledEndpoint = orm.select({ id: webhook_endpoints.id }).from(webhook_endpoints).where(isEnabledEndpoint)

/** Ends the lease. A delivery that has failed waits for the next delay of its schedule, and is given up after the last. */
const updateDelivery = statement(resultParams, () => {
  const { state, attempts, retries } = webhook_deliveries
  // While this attempt was in flight, an operator may have sent the delivery with success.
  const isDelivered = or(succeeded, eq(state, 'delivered'))
  // A disabled endpoint may be enabled later, and then still gets the delivery.
  const isGivenUp = and(is_last, exists(enabledEndpoint))
  return orm
    .update(webhook_deliveries)
    .set({
      state: sql`case when ${isDelivered} then 'delivered' when ${isGivenUp} then 'failed' else 'pending' end`,
      attempts: sql`${attempts} + 1`,
      retries: sql`iif(${isDelivered}, ${retries}, ${retries} + 1)`,
      last_status: status,
      last_attempt_at: started_at,
      lease: null,
      next_attempt_at: sql`iif(${isDelivered} or ${isGivenUp}, null, ${retryAt})`,
    })
    .where(isUnrecorded)
})

/**
 * The same after an operator has sent the delivery. If it failed, then a delivery that is in flight, or waits for a retry,
 * keeps its schedule; one that had been delivered or given up starts with the first delay again.
 */
const updateRedelivery = statement(resultParams, () => {
  const { state, attempts, retries, lease, next_attempt_at } = webhook_deliveries
  const isInFlight = isNotNull(lease)
  const waitsForRetry = and(eq(state, 'pending'), gt(attempts, 0))
  return orm
    .update(webhook_deliveries)
    .set({
      state: sql`iif(${succeeded}, 'delivered', 'pending')`,
      attempts: sql`${attempts} + 1`,
      retries: sql`iif(${or(succeeded, isInFlight, waitsForRetry)}, ${retries}, 1)`,
      last_status: status,
      last_attempt_at: started_at,
      next_attempt_at: sql`case when ${isInFlight} then ${next_attempt_at} when ${succeeded} then null
        when ${waitsForRetry} then ${next_attempt_at} else ${retryAt} end`,
    })
    .where(isUnrecorded)
})
