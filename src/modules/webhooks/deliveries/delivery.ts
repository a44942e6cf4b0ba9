/**
 * A delivery of an event to an endpoint, and how an attempt changes it (the diagram is in src/modules/webhooks/health.ts).
 */
import { WEBHOOK } from '../limits.ts'
import { retryDelay } from '../health.ts'
import { type AttemptResult, isSuccess } from './send.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A type alias, because an interface cannot be a row of `sql.exec`. */
export type Delivery = {
  event_id: number
  type: string
  /** The time of the event. */
  created_at: number
  state: DeliveryState
  attempts: number
  /** How many delays of the retry schedule are used up. */
  retries: number
  last_status: number | null
  last_attempt_at: number | null
  /** Null once the delivery is no longer pending. While the endpoint is down or disabled, nothing is sent at that time. */
  next_attempt_at: number | null
}

/** What a delivery holds of its event: no body, because a body may have the name of a person. */
export interface AttemptedEvent {
  id: number
  type: string
  created_at: number
}

export function toAttempted({ id, type, created_at }: AttemptedEvent): AttemptedEvent {
  return { id, type, created_at }
}

export function newDelivery({ id, type, created_at }: AttemptedEvent): Delivery {
  return {
    event_id: id,
    type,
    created_at,
    state: 'pending',
    attempts: 0,
    retries: 0,
    last_status: null,
    last_attempt_at: null,
    next_attempt_at: null,
  }
}

interface Ended {
  result: AttemptResult
  /** A probe uses up no delay: what waits for an endpoint that is down stands still. */
  isProbe: boolean
  /** A disabled endpoint gives up nothing. */
  isEnabled: boolean
  now: number
}

/** The delivery after an attempt of its schedule. */
export function afterAttempt(delivery: Delivery, { result, isProbe, isEnabled, now }: Ended): Delivery {
  const attempted = attemptedOnceMore(delivery, result)
  // While this attempt was in flight, a request may have redelivered it with success.
  if (isSuccess(result.status) || delivery.state === 'delivered') return delivered(attempted)
  if (isProbe) return { ...attempted, next_attempt_at: now }
  if (delivery.retries >= WEBHOOK.retries && isEnabled) return { ...attempted, state: 'failed', next_attempt_at: null }
  return { ...attempted, retries: delivery.retries + 1, next_attempt_at: now + retryDelay(delivery.retries) }
}

/** The same after it was sent on request. If that failed, what waits for a retry keeps its schedule. */
export function afterRedelivery(delivery: Delivery, result: AttemptResult, now: number): Delivery {
  const attempted = attemptedOnceMore(delivery, result)
  if (isSuccess(result.status)) return delivered(attempted)
  return delivery.next_attempt_at === null
    ? { ...attempted, state: 'pending', retries: 1, next_attempt_at: now + retryDelay(0) }
    : attempted
}

function attemptedOnceMore(delivery: Delivery, { status, started_at }: AttemptResult): Delivery {
  return { ...delivery, attempts: delivery.attempts + 1, last_status: status, last_attempt_at: started_at }
}

function delivered(delivery: Delivery): Delivery {
  return { ...delivery, state: 'delivered', next_attempt_at: null }
}
