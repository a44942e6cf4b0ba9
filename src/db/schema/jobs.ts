/** What belongs to jobs: their runs, the statistics that they count, and the directory of stores, to which those report. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The last run of each cron. WITHOUT ROWID. */
export const jobs = sqliteTable('jobs', {
  name: text().primaryKey(),
  last_run_at: integer().notNull(),
  /** A JSON object: where the next run continues with each kind of work that this run has not finished. */
  positions: text().notNull(),
  /** In the database of one store: when the job runs next. Until then it has nothing to count, unless something changes. */
  counts_until: integer(),
})

/** The totals of a store, as the job has counted them (src/modules/statistics/count-statistics.ts). Those of a product are in its own row. */
export const store_stats = sqliteTable('store_stats', {
  /** As the row of the store. */
  id: integer().primaryKey(),
  /** All events up to this one are in the counts of days and, after the last of them, in the totals. */
  cursor: integer().notNull(),
  /** The time for which the totals were counted, and how long that took. */
  counted_at: integer().notNull(),
  count_ms: integer().notNull(),
  users: integer().notNull(),
  accesses: integer().notNull(),
  in_force: integer().notNull(),
  /** The accesses in force that ended within seven days then. */
  ending: integer().notNull(),
})

/** What happened in a store on a day (UTC). The id is the store's number × 2^32 + the number of days since 1970. */
export const day_stats = sqliteTable('day_stats', {
  id: integer().primaryKey(),
  users_created: integer().notNull(),
  users_erased: integer().notNull(),
  accesses_granted: integer().notNull(),
  accesses_updated: integer().notNull(),
  accesses_expired: integer().notNull(),
})

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
