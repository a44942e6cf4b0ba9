import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The stores that have a database of their own (src/db/places.ts). This table is used in the shared database alone. It gives
 * out the numbers, and it has what lists of stores and the state of the service show, as the stores have last reported it.
 */
export const directory = sqliteTable(
  'directory',
  {
    number: integer().primaryKey(),
    slug: text().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    location: text(),
    suspended_at: integer(),
    expiry_notice_days: integer().notNull(),
    created_at: integer().notNull(),
    /** The request that creates the store, and its caller. */
    request_id: text().notNull(),
    actor_id: integer().notNull(),
    /** When the database of the store got its row; null until then. The next request for the store completes it. */
    completed_at: integer(),
    /** When the store is to do its next work. The every-minute job wakes a store that is ten minutes late. */
    alarm_at: integer(),
    bytes: integer().notNull().default(0),
    pending: integer().notNull().default(0),
    oldest_pending_at: integer(),
    failing: integer().notNull().default(0),
    down: integer().notNull().default(0),
    disabled: integer().notNull().default(0),
    purge_backlog: integer().notNull().default(0),
    time_zone: text().notNull().default('UTC'),
  },
  (table) => [uniqueIndex('directory_slug').on(table.slug)],
)

export type DirectoryRow = typeof directory.$inferSelect
