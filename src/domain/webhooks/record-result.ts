/**
 * Records how an attempt to deliver an event ended: in the health of the endpoint and in the delivery. It may also disable
 * the endpoint (disable.ts). A result is recorded once, however often the batch is sent: each step requires that it is not
 * recorded yet (`isUnrecorded`), and the step that records it, `delivery`, is the last write.
 */
import { and, eq, exists, gt, isNotNull, or, sql } from 'drizzle-orm'
import type { Steps } from '../../db/batch.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { disableEndpoint, insertDisabledEvent } from './disable.ts'
import { probeTime } from './endpoint-state.ts'
import { isUnrecorded, resultParams, type ResultValues, selectUnrecorded } from './finished-attempts.ts'
import { isEnabledEndpoint, isEndpoint } from './polled-endpoint.ts'
import { columnsAfterSuccess, hasFailed } from './recovery.ts'

/**
 * The steps that record a result, in their order. Only a failure can disable the endpoint. The failure of a redelivery
 * counts for nothing, because it depends on how often an operator repeats it.
 */
export function recordSteps(result: ResultValues) {
  const success = result.succeeded === 1 ? result : undefined
  const failure = result.succeeded === 0 && result.lease !== null ? result : undefined
  return {
    health: success ? recordSuccess(success) : failure && recordFailure(failure),
    disabledEvent: failure && insertDisabledEvent(failure),
    disable: failure && disableEndpoint({}),
    delivery: result.lease === null ? updateRedelivery(result) : updateDelivery(result),
  }
}

/** The steps for several results, in the order in which the attempts ended. */
export function stepsForAll(results: ResultValues[]): Steps {
  const steps = results.flatMap((result, i) =>
    Object.entries(recordSteps(result)).map(([name, step]) => [name + i, step]),
  )
  return Object.fromEntries(steps)
}

const { succeeded, status, started_at, delay_ms, is_last, is_probe } = resultParams

const { failures, failing_since, last_status, probe_at, probes } = webhook_endpoints

/** It writes no row if the attempt before it was a success with the same status: this saves a row per delivery. */
const recordSuccess = statement(resultParams, () =>
  orm
    .update(webhook_endpoints)
    .set({ ...columnsAfterSuccess, last_status: status })
    .where(and(isEndpoint, exists(selectUnrecorded()), or(hasFailed, sql`${last_status} is not ${status}`))),
)

/** The endpoint goes down with this failure, or the next probe is scheduled. */
const recordFailure = statement(resultParams, () => {
  const goesDown = sql`(${probe_at} is null and ${failures} + 1 >= ${WEBHOOK.downAfter})`
  // If the endpoint has been enabled or moved to another URL since the probe began, the next probe is due already.
  const probeFailed = sql`(${is_probe} and ${probe_at} <= ${started_at})`
  return orm
    .update(webhook_endpoints)
    .set({
      failures: sql`${failures} + 1`,
      failing_since: sql`coalesce(${failing_since}, ${contextParams.now})`,
      last_status: status,
      probe_at: sql`case when ${goesDown} then ${probeTime(sql`0`)} when ${probeFailed} then ${probeTime(sql`${probes} + 1`)}
        else ${probe_at} end`,
      probes: sql`case when ${goesDown} then 0 when ${probeFailed} then ${probes} + 1 else ${probes} end`,
    })
    .where(and(isEndpoint, exists(selectUnrecorded())))
})

const retryAt = sql`${contextParams.now} + ${delay_ms}`

/**
 * Ends the lease. A delivery that has failed waits for the next delay of its schedule, and is given up after the last. A
 * probe uses up no delay: what waits for an endpoint that is down stands still.
 */
const updateDelivery = statement(resultParams, () => {
  const { state, attempts, retries } = webhook_deliveries
  // While this attempt was in flight, an operator may have sent the delivery with success.
  const isDelivered = or(succeeded, eq(state, 'delivered'))
  const enabledEndpoint = orm.select({ id: webhook_endpoints.id }).from(webhook_endpoints).where(isEnabledEndpoint)
  // A disabled endpoint may be enabled later, and then still gets the delivery.
  const isGivenUp = and(is_last, exists(enabledEndpoint))
  return orm
    .update(webhook_deliveries)
    .set({
      state: sql`case when ${isDelivered} then 'delivered' when ${isGivenUp} then 'failed' else 'pending' end`,
      attempts: sql`${attempts} + 1`,
      retries: sql`iif(${or(isDelivered, is_probe)}, ${retries}, ${retries} + 1)`,
      last_status: status,
      last_attempt_at: started_at,
      lease: null,
      leased_until: null,
      next_attempt_at: sql`case when ${isDelivered} or ${isGivenUp} then null
        when ${is_probe} then ${contextParams.now} else ${retryAt} end`,
    })
    .where(isUnrecorded)
})

/**
 * The same after an operator has sent the delivery. If it failed, then a delivery that is in flight, or waits for a retry,
 * keeps its schedule; one that had been delivered or given up starts with the first delay again.
 */
const updateRedelivery = statement(resultParams, () => {
  const { state, attempts, retries, leased_until, next_attempt_at } = webhook_deliveries
  const isLeased = isNotNull(leased_until)
  const waitsForRetry = and(eq(state, 'pending'), gt(attempts, 0))
  return orm
    .update(webhook_deliveries)
    .set({
      state: sql`iif(${succeeded}, 'delivered', 'pending')`,
      attempts: sql`${attempts} + 1`,
      retries: sql`iif(${or(succeeded, isLeased, waitsForRetry)}, ${retries}, 1)`,
      last_status: status,
      last_attempt_at: started_at,
      next_attempt_at: sql`case when ${isLeased} then ${next_attempt_at} when ${succeeded} then null
        when ${waitsForRetry} then ${next_attempt_at} else ${retryAt} end`,
    })
    .where(isUnrecorded)
})
