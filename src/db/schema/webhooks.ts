import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const webhook_endpoints = sqliteTable('webhook_endpoints', {
  id: integer().primaryKey(),
  url: text().notNull(),
  /** Event types separated by spaces; null for all. */
  types: text(),
  secret: text().notNull(),
  /** A JSON object with each earlier secret and the time until which it also signs. */
  older_secrets: text(),
  /** Deliveries exist for all events up to this one that the endpoint asked for. */
  cursor: integer().notNull(),
  /** The number of failed attempts since the last success, or since an operator enabled the endpoint. */
  failures: integer().notNull(),
  failing_since: integer(),
  last_status: integer(),
  /** When the next probe may begin. Null unless the endpoint is down. */
  probe_at: integer(),
  /** How many probes have failed since the endpoint went down: the position in their schedule. */
  probes: integer().notNull(),
  /**
   * When delivery resumes, everything that waits is due at once: the waiting deliveries of events after `resumed_after`, up
   * to `resumed_until`, whatever their time. Each poll moves `resumed_after` to the first of them, so one that fails again
   * keeps its new time. Writing to the deliveries instead would cost up to half a million rows.
   */
  resumed_after: integer().notNull(),
  resumed_until: integer().notNull(),
  /** When the next scheduled wake-up arrives. A poll schedules another one only if it is to arrive earlier. */
  wake_at: integer(),
  disabled_at: integer(),
  created_at: integer().notNull(),
  event_id: integer().notNull(),
})

/** WITHOUT ROWID, so that a delivery is one billed row, one index entry while it is pending, and another while it waits. */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer().notNull(),
    event_id: integer().notNull(),
    /** `pending`, `delivered` or `failed`. */
    state: text().notNull(),
    attempts: integer().notNull(),
    /** How many delays of the retry schedule are used up. */
    retries: integer().notNull(),
    /** The HTTP status of the last response; null if there was none. */
    last_status: integer(),
    last_attempt_at: integer(),
    /** The id of the poll that leased the delivery. */
    lease: text(),
    /** When the lease ends: if no result is recorded by then, another poll may lease the delivery. Null without a lease. */
    leased_until: integer(),
    /**
     * The time of the next attempt; of one in flight, the time at which it was claimed. While the endpoint is down nothing
     * is sent at that time. It is null once the delivery is no longer pending, or the poll would claim it again.
     */
    next_attempt_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.event_id] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.leased_until, table.next_attempt_at)
      .where(sql`next_attempt_at is not null`),
    // What waits, in the order of the events. One that succeeds at its first attempt never waits and is not in it.
    index('webhook_deliveries_waiting')
      .on(table.endpoint_id, table.event_id)
      .where(sql`leased_until is null and next_attempt_at is not null`),
  ],
)

export type WebhookEndpoint = typeof webhook_endpoints.$inferSelect
export type WebhookDelivery = typeof webhook_deliveries.$inferSelect
