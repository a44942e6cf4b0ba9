/**
 * The states of an endpoint and of its deliveries, and how an attempt changes an endpoint (a delivery:
 * src/modules/webhooks/deliveries/delivery.ts). Nothing here reads a clock or a database.
 *
 *        ┌───────────── any success, also of a test or a redelivery ────────┐
 *        ▼                                                                  │
 *      ok ──failure──▶ failing ──20th failure in a row──▶ down ─────────────┤  410 (from anywhere), or three days
 *        ▲                                                  ▲               ▼  without a success and 20 failures
 *        └── enable: all that waits is due; one that was down is probed ──── disabled
 *
 *   event ──read, sent──▶ in flight (memory) ──2xx──▶ delivered
 *                            │      ▲
 *                   failure  ▼      │ due (alarm), or resumed
 *                         pending ──17th failure──▶ failed         down, disabled: stands still
 */
import type { WebhookEndpoint } from '../../db/schema/stores.ts'
import { WEBHOOK } from './limits.ts'

export const ENDPOINT_STATES = ['ok', 'failing', 'down', 'disabled'] as const

type EndpointState = (typeof ENDPOINT_STATES)[number]

/** The state as the endpoint's row shows it: what was set by a request, and what the object has reported. */
export function stateOf({ disabled_at, is_down, failing_since }: WebhookEndpoint): EndpointState {
  if (disabled_at !== null) return 'disabled'
  if (is_down === 1) return 'down'
  return failing_since === null ? 'ok' : 'failing'
}

/** When the next attempt or probe is made; what is due is sent now. Null if nothing waits, or if the endpoint is disabled. */
export function nextAttemptOf({ disabled_at, next_attempt_at }: WebhookEndpoint, now: number): number | null {
  return disabled_at !== null || next_attempt_at === null ? null : Math.max(next_attempt_at, now)
}

export interface Health {
  endpoint_id: number
  /** After a restore of the database, another endpoint may have the id. Then the object starts over. */
  created_at: number
  /** The newest change that resumes delivery and that the object has seen. */
  resumed_by: number
  /** The number of failures since the last success, or since the endpoint was enabled. */
  failures: number
  failing_since: number | null
  last_status: number | null
  /** When the next probe may begin; null unless the endpoint is down. */
  probe_at: number | null
  /** How many probes have failed since the endpoint went down. */
  probes: number
  /** True once the receiver has said that the endpoint is gone (410). */
  is_gone: boolean
}

export function initialHealth({ id, created_at, resumed_by }: WebhookEndpoint): Health {
  return { ...HEALTHY, endpoint_id: id, created_at, resumed_by, last_status: null }
}

const HEALTHY = { failures: 0, failing_since: null, probe_at: null, probes: 0, is_gone: false }

/** The success of anything, that of a test or a redelivery too. Undefined for a test, whose status is not shown. */
export function afterSuccess(health: Health, status: number | null = health.last_status): Health {
  return { ...health, ...HEALTHY, last_status: status }
}

interface Failure {
  status: number | null
  started_at: number
  isProbe: boolean
  now: number
}

export function afterFailure(health: Health, { status, started_at, isProbe, now }: Failure): Health {
  const failed = {
    ...health,
    failures: health.failures + 1,
    failing_since: health.failing_since ?? now,
    last_status: status,
    is_gone: health.is_gone || status === 410,
  }
  if (health.probe_at === null)
    return failed.failures < WEBHOOK.downAfter ? failed : { ...failed, probe_at: now + probeDelay(0), probes: 0 }
  // If a request has asked for a probe since this one began, the next one is due already.
  return isProbe && health.probe_at <= started_at ? postponeProbe(failed, now) : failed
}

export function postponeProbe(health: Health, now: number): Health {
  return { ...health, probes: health.probes + 1, probe_at: now + probeDelay(health.probes + 1) }
}

/** A request has enabled the endpoint, or moved it to another URL. One that is down stays so until a probe succeeds. */
export function afterResume(health: Health, { resumed_by, failing_since }: WebhookEndpoint, now: number): Health {
  // Only `enable` resets the time in the database, and no report of this object overwrites it before this.
  const forgets = failing_since === null ? { failures: 0, failing_since: null } : {}
  const probe_at = health.probe_at === null ? null : now
  return { ...health, ...forgets, resumed_by, probe_at, probes: 0, is_gone: false }
}

export function isProbeDue(health: Health | undefined, now: number): health is Health {
  return health != null && health.probe_at !== null && health.probe_at <= now
}

export function isToDisable({ is_gone, failures, failing_since }: Health, now: number): boolean {
  const hasFailedLong = failing_since !== null && failing_since <= now - WEBHOOK.disableAfterMs
  return is_gone || (failures >= WEBHOOK.downAfter && hasFailedLong)
}

function probeDelay(failedProbes: number): number {
  return delayOf(WEBHOOK.probeDelaysSeconds, failedProbes)
}

/** Milliseconds until the next attempt of a delivery. */
export function retryDelay(retries: number): number {
  return delayOf(WEBHOOK.delaysSeconds, retries)
}

function delayOf(seconds: readonly number[], position: number): number {
  const delay = (seconds[position] ?? seconds.at(-1) ?? 0) * 1000
  return Math.round(delay * (1 + WEBHOOK.jitter * (2 * Math.random() - 1)))
}
