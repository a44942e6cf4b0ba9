import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const stores = sqliteTable(
  'stores',
  {
    /** The id of the store's first event: the store's number × 2^32 + 1. */
    id: integer().primaryKey(),
    /** The name of the store in paths. The API calls it the store's id. */
    slug: text().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    /** Since when the store's tokens are rejected. */
    suspended_at: integer(),
    /** How many days before its due date an access gets the event `product_access.expiring`; 0 for none. */
    expiry_notice_days: integer().notNull(),
    /** Near which region the object of the store was created, if somebody chose one. Null for a store in the shared database. */
    location: text(),
    created_at: integer().notNull(),
    event_id: integer().notNull(),
    /** `UTC`, or the IANA name as it was sent: where the store's days are (src/calendar.ts). */
    time_zone: text().notNull().default('UTC'),
  },
  (table) => [
    uniqueIndex('stores_slug').on(table.slug),
    index('stores_suspended_at')
      .on(table.suspended_at)
      .where(sql`suspended_at is not null`),
    // Below 2^53, so that a JavaScript number holds every id.
    check('stores_number', sql`id >> 32 between 1 and 2097151`),
  ],
)

/**
 * When the clocks of the time zones change, for SQL that counts days. Each zone has a row of its own, so that no request
 * reads it but those that count. `UTC` has none. WITHOUT ROWID.
 */
export const time_zones = sqliteTable('time_zones', {
  /** As a store has it. */
  name: text().primaryKey(),
  /** A JSON list of pairs: an instant, and the milliseconds that the clocks are ahead of UTC from then on. */
  changes: text().notNull(),
})

export const custom_fields = sqliteTable(
  'custom_fields',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    key: text().notNull(),
    label: text(),
    created_at: integer().notNull(),
    event_id: integer().notNull(),
  },
  (table) => [uniqueIndex('custom_fields_key').on(table.store, table.key)],
)

export type Store = typeof stores.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect
