import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What happened. A change is made by the batch that inserts its event (src/change/event.ts). The ids of a store are
 * consecutive, and its newest event is never deleted: otherwise an id could be used twice.
 */
export const events = sqliteTable('events', {
  id: integer().primaryKey(),
  type: text().notNull(),
  created_at: integer().notNull(),
  /** The id of the request, followed by `/index` if the request makes several changes; or the id of a job's run. */
  request_id: text().notNull(),
  /** The attempt that inserted the event, from 0 (src/change/event.ts). */
  attempt: integer().notNull(),
  /** A row of access_tokens, 0 for the root, or null for the service itself. */
  actor_id: integer(),
  /** The record that the event is about. Its id is that of the event that created it. */
  subject_id: integer().notNull(),
  /** The previous event about the same record. */
  previous_id: integer(),
  /** The user and the product of an access. */
  user_id: integer(),
  product_id: integer(),
  /** A JSON object that is added to the event's `data`, such as `{"changes":{"status":{"from":…,"to":…}}}`. */
  data: text(),
})

export type Event = typeof events.$inferSelect
