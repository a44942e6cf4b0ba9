/**
 * The state of an endpoint. One that has failed 20 times in a row is down: it is sent one probe at a time, on a schedule of
 * its own, and everything else waits untouched. So endpoints that nobody answers cost a probe every half hour each, however
 * many events wait for them, and delay nobody else's deliveries.
 */
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'

export const ENDPOINT_STATES = ['ok', 'failing', 'down', 'disabled'] as const

type EndpointState = (typeof ENDPOINT_STATES)[number]

export function stateOf({ disabled_at, probe_at, failing_since }: WebhookEndpoint): EndpointState {
  if (disabled_at !== null) return 'disabled'
  if (probe_at !== null) return 'down'
  return failing_since === null ? 'ok' : 'failing'
}

const { disabled_at, probe_at, failing_since } = webhook_endpoints

/** True for an endpoint that is sent a wake-up after each change. One that is down is woken by its probes only. */
export const isNotified = and(isNull(disabled_at), isNull(probe_at))

export const isFailing = and(isNotified, isNotNull(failing_since))

export const isDown = and(isNull(disabled_at), isNotNull(probe_at))

/** A time that has passed, unless the endpoint is not down: its next probe is due. */
export const probeIsDue = sql`iif(${probe_at} > ${contextParams.now}, ${contextParams.now}, ${probe_at})`

/**
 * `probe_at` after a change that has an endpoint that is down probed at once. A probe that is in flight has begun before this
 * time, so its failure does not postpone the new one (record-result.ts).
 */
export const probeNow = sql`iif(${probe_at} is null, null, ${contextParams.now})`

/** A factor that shortens or lengthens the delay before a probe at random, so that not all probes are made at once. */
export const probeParams = params('probe_jitter')

export function probeValues() {
  return { probe_jitter: randomFactor() }
}

export function randomFactor(): number {
  return 1 + WEBHOOK.jitter * (2 * Math.random() - 1)
}

/** When the next probe may begin, after this number of probes that have failed. */
export function probeTime(failedProbes: ReturnType<typeof sql>) {
  const delays = WEBHOOK.probeDelaysSeconds.map((seconds, position) => sql`when ${position} then ${seconds * 1000}`)
  const last = WEBHOOK.probeDelaysSeconds.at(-1) ?? 0
  const delay = sql`case ${failedProbes} ${sql.join(delays, sql` `)} else ${last * 1000} end`
  return sql<number>`${contextParams.now} + cast(${delay} * ${probeParams.probe_jitter} as integer)`
}
