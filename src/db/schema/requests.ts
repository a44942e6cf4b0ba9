/** What is kept of requests that may be repeated. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The claims of idempotency keys: which record a key stands for. The table is WITHOUT ROWID (drizzle/0000_initial.sql),
 * so that a claim is one billed row.
 */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    store: integer().notNull(),
    /** As the actor of an event. */
    caller_id: integer().notNull(),
    operation: text().notNull(),
    /** HMACs under TOKEN_KEY (src/http/respond/replays.ts). */
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** The record that the request created, or the access that it extended. */
    record_id: integer().notNull(),
    created_at: integer().notNull(),
    /** The event of an extension. Null for a record that the request created: it has the id of its event. */
    event_id: integer(),
  },
  (table) => [primaryKey({ columns: [table.store, table.caller_id, table.operation, table.key] })],
)

/**
 * The highest attempt of each request whose batch was sent again. An earlier attempt that arrives late finds it and does
 * nothing (src/change/event.ts). WITHOUT ROWID.
 */
export const fencing_tokens = sqliteTable('fencing_tokens', {
  request_id: text().primaryKey(),
  attempt: integer().notNull(),
  created_at: integer().notNull(),
})
