/**
 * Every change is recorded by an event, and the event decides whether the change is made.
 *
 * A change is one batch, which the database runs as one transaction:
 *   1. Insert the event, unless a rule rejects the request (src/change/rules.ts).
 *   2. Make each further write only if this very attempt inserted the event (`isEventOfThisAttempt` in src/change/attempts.ts).
 *   3. Select the outcome, and the record as it is now.
 */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { attemptParams } from '../db/batch.ts'
import { events } from '../db/schema.ts'
import { columnsOf } from '../db/statement.ts'
import type { EventType } from './event-types.ts'
import { newest } from './attempts.ts'
import { contextParams } from './context.ts'
import { request } from './request.ts'

/** The id of a new event. `store << 32` stands for the event before the store's first one. */
export const newEventId = sql<number>`max(coalesce(${newest.id}, 0), ${request.store} << 32) + 1`

interface EventColumns {
  id: SQLWrapper
  type: EventType | SQL
  /** Null for the service itself. */
  actor_id: SQLWrapper | null
  subject_id: SQLWrapper
  previous_id?: SQLWrapper | undefined
  user_id?: SQLWrapper | undefined
  product_id?: SQLWrapper | undefined
  data?: SQLWrapper | undefined
  /** Those of this attempt of this request, unless the event repeats those of a row, or is one of several. */
  created_at?: SQLWrapper
  request_id?: SQLWrapper
  attempt?: SQLWrapper
}

/** The columns of an event, to be selected by its insert. */
export function eventColumns({
  previous_id,
  user_id,
  product_id,
  data,
  created_at = contextParams.now,
  request_id = contextParams.request_id,
  attempt = attemptParams.attempt,
  ...given
}: EventColumns) {
  return columnsOf(events, {
    ...given,
    previous_id: previous_id ?? null,
    user_id: user_id ?? null,
    product_id: product_id ?? null,
    data: data ?? null,
    created_at,
    request_id,
    attempt,
  })
}

interface NewEvent {
  type: EventType | SQL<EventType>
  /** The record that is changed. Without it the event creates a record, whose id is that of the event. */
  subject?: { id: SQLWrapper; event_id: SQLWrapper }
  user_id?: SQLWrapper
  product_id?: SQLWrapper
  /** What the event shows besides ids: a JSON object. */
  data?: SQL
}

/** The columns of a new event, to be selected with `selectRequestWithEarlierAttempts`. */
export function newEvent({ type, subject, user_id, product_id, data }: NewEvent) {
  return eventColumns({
    id: newEventId,
    type,
    actor_id: contextParams.caller,
    subject_id: subject?.id ?? newEventId,
    previous_id: subject?.event_id,
    user_id,
    product_id,
    data,
  })
}

/** A table whose records are changed: each row has the id of the newest event about it. */
export type RecordTable = SQLiteTable & { id: SQLiteColumn; event_id: SQLiteColumn }
