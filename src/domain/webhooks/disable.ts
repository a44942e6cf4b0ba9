/**
 * Disables an endpoint after a failure. As in every change (change/event.ts) the event decides: the endpoint is disabled
 * only if this very attempt of the batch has inserted the event. (`attempt` is a sending of the batch here, not of the
 * webhook.)
 */
import { and, eq, exists, gte, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isOfStore, storeIn } from '../../db/ids.ts'
import { events, webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { eventColumns, isEventOfThisAttempt, newestEventOf } from '../change/event.ts'
import { isNotified } from './endpoint-state.ts'
import { resultParams, selectUnrecorded } from './finished-attempts.ts'
import { endpointParams, isEnabledEndpoint } from './polled-endpoint.ts'

/** True if the receiver says that the endpoint is gone (410), or if the endpoint has failed for three days with no success. */
const isToDisable = or(
  eq(resultParams.status, 410),
  and(
    gte(webhook_endpoints.failures, WEBHOOK.downAfter),
    lte(webhook_endpoints.failing_since, sql`${contextParams.now} - ${WEBHOOK.disableAfterMs}`),
  ),
)

export const insertDisabledEvent = statement(resultParams, () => {
  const columns = eventColumns({
    id: sql`${newestEventOf(contextParams.store)} + 1`,
    type: 'webhook_endpoint.disabled',
    // The service itself.
    actor_id: null,
    subject_id: webhook_endpoints.id,
    previous_id: webhook_endpoints.event_id,
  })
  return orm.insert(events).select(
    orm
      .select(columns)
      .from(webhook_endpoints)
      .where(and(isEnabledEndpoint, isToDisable, exists(selectUnrecorded()))),
  )
})

export const disableEndpoint = statement({}, () =>
  orm
    .update(webhook_endpoints)
    .set({ disabled_at: contextParams.now, event_id: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(webhook_endpoints.id, events.subject_id))),
)

/**
 * The other endpoints of the store, if this batch has disabled the endpoint. The event counts whichever attempt of the
 * batch inserted it: if the response of that attempt was lost, nobody has notified them.
 */
export const selectEndpointsToNotify = statement(endpointParams, () => {
  const disabled = alias(webhook_endpoints, 'disabled')
  const isEventOfThisBatch = and(eq(events.id, disabled.event_id), eq(events.request_id, contextParams.request_id))
  return (
    orm
      .select({ id: webhook_endpoints.id })
      .from(disabled)
      .innerJoin(events, isEventOfThisBatch)
      // Joins and not `exists`: SQLite would read every endpoint of the store first, after each failure.
      .innerJoin(webhook_endpoints, isOfStore(webhook_endpoints.id, storeIn(disabled.id)))
      .where(and(eq(disabled.id, endpointParams.endpoint_id), isNotified))
  )
})
