import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/**
 * The totals of a store, and how far the job that counts them has come (domain/stats/count.ts). The totals of a product
 * are in its own row.
 */
export const store_stats = sqliteTable('store_stats', {
  /** As the row of the store. */
  id: integer().primaryKey(),
  /** How many batches have counted this store. A batch applies only to the version for which it was planned. */
  version: integer().notNull(),
  /** All events up to this one are counted. */
  cursor: integer().notNull(),
  /** The time of the last count. */
  counted_at: integer().notNull(),
  users: integer().notNull(),
  accesses: integer().notNull(),
  in_force: integer().notNull(),
  /** The accesses in force that end within seven days of the last count. */
  ending: integer().notNull(),
  /** In the order of due dates and ids, the accesses up to this one have been checked for their end. */
  ending_due: integer().notNull(),
  ending_id: integer().notNull(),
  /** When the last recount ended. */
  recounted_at: integer().notNull(),
  /** The last user and the last access that the running recount has counted; null if no recount is running. */
  recount_user: integer(),
  recount_access: integer(),
  /** The totals of the recount so far; 0 if none is running. */
  recount_users: integer().notNull(),
  recount_accesses: integer().notNull(),
  recount_in_force: integer().notNull(),
  recount_ending: integer().notNull(),
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
