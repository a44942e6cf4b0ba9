/**
 * Noting how an attempt ended: what becomes of the delivery, of the endpoint's row of failures, and whether the
 * endpoint is disabled. Noted once, however often it is sent: every statement asks whether the delivery is still as
 * the attempt left it, and the last one, which ends that, comes after all others.
 */
import { type SQL, sql } from 'drizzle-orm'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { isOfStore } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { WEBHOOK } from '../../limits.ts'
import { newestEvent, NO_DETAILS } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { type Answered, isSuccess } from './send.ts'

/** An attempt that has ended. */
export interface Ended {
  endpoint_id: number
  event_id: number
  /** Under which the delivery was sent; null: on an operator's word, whatever else is under way. */
  lease: string | null
  /** How many delays of its schedule the delivery has used up. */
  retries: number
  answered: Answered
}

type OutcomeValues = ReturnType<typeof outcomeValues>

export function outcomeValues(ended: Ended, now: number) {
  const { endpoint_id, event_id, lease, retries, answered } = ended
  const isResent = lease === null
  return {
    endpoint_id,
    event_id,
    lease,
    /** An operator's word has sent it. */
    is_resent: isResent ? 1 : 0,
    status: answered.status,
    succeeded: isSuccess(answered.status) ? 1 : 0,
    started_at: answered.started_at,
    delay_ms: delayAfter(isResent ? 0 : retries),
    is_last: retries >= WEBHOOK.retries ? 1 : 0,
    now,
    /** Of the event that tells the end of the endpoint: no request has asked for it. */
    request_id: crypto.randomUUID(),
  }
}

/** Milliseconds until the next attempt, once so many delays are used up. */
function delayAfter(retries: number): number {
  const { delaysSeconds, jitter } = WEBHOOK
  const seconds = delaysSeconds[retries] ?? delaysSeconds.at(-1) ?? 0
  return Math.round(seconds * 1000 * (1 + jitter * (2 * Math.random() - 1)))
}

type P = Params<OutcomeValues>

const store = sql`(${webhook_endpoints.id} >> 32)`
const isEnabled = sql`${webhook_endpoints.disabled_at} is null`

function isEndpoint(p: P): SQL {
  return sql`${webhook_endpoints.id} = ${p.endpoint_id}`
}

/** The delivery, while this outcome has not been noted: it bears the lease, or has seen no attempt as late as this one. */
function isDeliveryToNote(p: P): SQL {
  const { endpoint_id, event_id, lease, last_attempt_at } = webhook_deliveries
  return sql`${endpoint_id} = ${p.endpoint_id} and ${event_id} = ${p.event_id}
    and iif(${p.is_resent}, coalesce(${last_attempt_at}, 0) < ${p.started_at}, ${lease} = ${p.lease})`
}

function isUnnoted(p: P): SQL {
  return sql`exists (select 1 from ${webhook_deliveries} where ${isDeliveryToNote(p)})`
}

/** Writes nothing for a success after a success with the same status. */
const noteHealth = statement((p: P, orm) => {
  const { failures, failing_since, last_status } = webhook_endpoints
  return orm
    .update(webhook_endpoints)
    .set({
      failures: sql`iif(${p.succeeded}, 0, ${failures} + 1)`,
      failing_since: sql`iif(${p.succeeded}, null, coalesce(${failing_since}, ${p.now}))`,
      last_status: sql`${p.status}`,
    })
    .where(
      sql`${isEndpoint(p)} and ${isUnnoted(p)}
        and (${p.succeeded} = 0 or ${failures} > 0 or ${last_status} is not ${p.status})`,
    )
})

/** The endpoint, where this outcome disables it: it is gone (410), or has failed for long and often with no success. */
function isEndpointToDisable(p: P): SQL {
  const { failures, failing_since } = webhook_endpoints
  return sql`${isEndpoint(p)} and ${isEnabled} and ${isUnnoted(p)} and ${p.succeeded} = 0 and (${p.status} = 410 or
    (${failures} >= ${WEBHOOK.strugglesAfter} and ${failing_since} <= ${p.now} - ${WEBHOOK.disableAfterMs}))`
}

const newest = newestEvent(store)

const insertDisabledEvent = statement((p: P, orm) =>
  insertFrom(
    orm,
    events,
    {
      id: sql`${newest} + 1`,
      type: 'webhook_endpoint.disabled' satisfies EventType,
      created_at: p.now,
      request_id: p.request_id,
      actor_id: null,
      subject_id: sql`${webhook_endpoints.id}`,
      previous_id: sql`${webhook_endpoints.event_id}`,
      ...NO_DETAILS,
    },
    sql`from ${webhook_endpoints} where ${isEndpointToDisable(p)}`,
  ),
)

const disable = statement((p: P, orm) =>
  orm
    .update(webhook_endpoints)
    .set({ disabled_at: sql`${p.now}`, event_id: newest })
    .where(isEndpointToDisable(p)),
)

/**
 * A delivery that fails waits for its next attempt. One that an operator has sent in between leaves its schedule as
 * it is, and one that was delivered or given up before begins it anew.
 */
const noteDelivery = statement((p: P, orm) => {
  const { state, attempts, retries, lease, next_attempt_at } = webhook_deliveries
  const enabled = sql`exists (select 1 from ${webhook_endpoints} where ${isEndpoint(p)} and ${isEnabled})`
  const isDelivered = sql`(${p.succeeded} or (not ${p.is_resent} and ${state} = 'delivered'))`
  const isGivenUp = sql`(not ${p.is_resent} and ${p.is_last} and ${enabled})`
  /** Under way, or waiting with a time of its own. */
  const isScheduled = sql`(${p.is_resent} and (${lease} is not null or (${state} = 'pending' and ${attempts} > 0)))`
  const ahead = sql`coalesce((select ahead_ms from ${webhook_endpoints} where ${isEndpoint(p)}), 0)`
  return orm
    .update(webhook_deliveries)
    .set({
      state: sql`case when ${isDelivered} then 'delivered' when ${isGivenUp} then 'failed' else 'pending' end`,
      attempts: sql`${attempts} + 1`,
      retries: sql`case when ${isDelivered} or ${isScheduled} then ${retries}
        when ${p.is_resent} then 1 else ${retries} + 1 end`,
      last_status: sql`${p.status}`,
      last_attempt_at: sql`${p.started_at}`,
      lease: sql`iif(${p.is_resent}, ${lease}, null)`,
      next_attempt_at: sql`case
        when ${p.is_resent} and ${lease} is not null then ${next_attempt_at}
        when ${isDelivered} or ${isGivenUp} then null
        when ${isScheduled} then ${next_attempt_at}
        else ${p.now} + ${p.delay_ms} + ${ahead} end`,
    })
    .where(isDeliveryToNote(p))
})

/** The other endpoints of the store, where this outcome has disabled this one: there is an event for them. */
const tellOthers = statement((p: P, orm) => {
  const { id, disabled_at } = webhook_endpoints
  const eventOfEndpoint = sql`(select w.event_id from ${webhook_endpoints} w where w.id = ${p.endpoint_id})`
  const disabledNow = sql`exists (select 1 from ${events} e where e.id = ${eventOfEndpoint} and e.request_id = ${p.request_id})`
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(sql`${isOfStore(sql`${id}`, sql`(${p.endpoint_id} >> 32)`)} and ${disabled_at} is null and ${disabledNow}`)
})

/** The steps of a batch that note an outcome, if there is one; `others` are endpoints to be woken. */
export function outcomeSteps(values: OutcomeValues | undefined) {
  return {
    health: values && noteHealth(values),
    disabledEvent: values && insertDisabledEvent(values),
    disable: values && disable(values),
    delivery: values && noteDelivery(values),
    others: values && tellOthers(values),
  }
}
