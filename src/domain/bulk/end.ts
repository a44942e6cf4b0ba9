/** How a bulk change ends: with an event, and with the turn of the next one. */
import { and, eq, isNotNull, isNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { attemptParams, type Db } from '../../db/batch.ts'
import { isOfStore, storeIn, storeOf } from '../../db/ids.ts'
import { bulk_changes, events, webhook_endpoints } from '../../db/schema.ts'
import { columnsOf, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { contextParams } from '../change/context.ts'
import { isEventOfThisAttempt, newestEventOf } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { isNotified } from '../webhooks/endpoint-state.ts'
import { bulkChangeColumns, firstInLine, joinActor } from './bulk-changes.ts'

interface EndEvent {
  type: EventType
  /** Null for the service itself. */
  actor: SQLWrapper | null
  /** What else must hold. */
  when?: SQL
}

/**
 * Selects the event with which the bulk change ended, unless it has not ended or has its event already. A dry run has
 * none.
 */
export function endEventOf(id: SQLWrapper, { type, actor, when }: EndEvent) {
  return orm
    .select(
      columnsOf(events, {
        id: sql`${newestEventOf(storeIn(id))} + 1`,
        type,
        created_at: contextParams.now,
        request_id: contextParams.request_id,
        attempt: attemptParams.attempt,
        actor_id: actor,
        subject_id: bulk_changes.id,
        previous_id: bulk_changes.event_id,
        user_id: null,
        product_id: null,
        data: null,
      }),
    )
    .from(bulk_changes)
    .where(
      and(
        eq(bulk_changes.id, id),
        isNotNull(bulk_changes.finished_at),
        isNotNull(bulk_changes.event_id),
        isNull(bulk_changes.last_event_id),
        when,
      ),
    )
}

/** Follows the statement that inserts the event. */
export const setLastEvent = statement({}, () =>
  orm
    .update(bulk_changes)
    .set({ last_event_id: sql`${events.id}` })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(bulk_changes.id, events.subject_id), isNull(bulk_changes.last_event_id))),
)

export const idParams = params('bulk_change_id')

export const insertFinishedEvent = statement(idParams, () =>
  orm.insert(events).select(endEventOf(idParams.bulk_change_id, { type: 'bulk_change.finished', actor: null })),
)

/** The bulk change, the one of its store whose turn it is, and the webhook endpoints of the store. */
export const selectStatus = statement(idParams, () => {
  const store = storeIn(idParams.bulk_change_id)
  const endpointsToNotify = orm
    .select({ ids: sql`json_group_array(${webhook_endpoints.id})` })
    .from(webhook_endpoints)
    .where(and(isOfStore(webhook_endpoints.id, store), isNotified))
  const fields = {
    ...bulkChangeColumns(),
    first_in_line: firstInLine(store).as('first_in_line'),
    endpoints: sql<string>`${endpointsToNotify}`.as('endpoints'),
  }
  return joinActor(orm.select(fields).from(bulk_changes)).where(eq(bulk_changes.id, idParams.bulk_change_id))
})

export type BulkChangeStatus = RowOf<typeof selectStatus>

/** There are new events of the store: notes the webhook endpoints to notify. */
export function noteEndpoints(db: Db, { endpoints }: BulkChangeStatus): void {
  for (const endpoint of JSON.parse(endpoints)) db.endpointsToNotify.add(endpoint)
}

/** The values of the request context for a run of a job: the service itself acts. */
export function runContext(id: number, { run_id, now }: Run) {
  return { store: storeOf(id), store_slug: null, request_id: run_id, now }
}

/** A run of a consumer or of the minutely job. Its id takes the place of a request's. */
export interface Run {
  run_id: string
  now: number
}
