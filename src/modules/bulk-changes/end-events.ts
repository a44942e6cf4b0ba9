/** How a bulk change ends: with an event, and with the turn of the next one. */
import { and, eq, isNotNull, isNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { storeIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { orm, statement } from '../../db/statement.ts'
import { eventColumns, isEventOfThisAttempt, newestEventOf } from '../../change/event.ts'
import type { EventType } from '../../change/event-types.ts'
import { idParams } from './runnable.ts'

interface EndEvent {
  type: EventType | SQL<EventType>
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
      eventColumns({
        id: sql`${newestEventOf(storeIn(id))} + 1`,
        type,
        actor_id: actor,
        subject_id: bulk_changes.id,
        previous_id: bulk_changes.event_id,
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

/** The event of a bulk change that the service itself has ended: `bulk_change.canceled` or `bulk_change.finished`. */
export const insertEndEvent = statement(idParams, () => {
  const [canceled, finished] = ['bulk_change.canceled', 'bulk_change.finished'] satisfies EventType[]
  const type = sql<EventType>`iif(${eq(bulk_changes.state, 'canceled')}, ${canceled}, ${finished})`
  return orm.insert(events).select(endEventOf(idParams.bulk_change_id, { type, actor: null }))
})
