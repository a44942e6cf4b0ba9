import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

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
