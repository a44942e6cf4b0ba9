import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The last run of each cron. WITHOUT ROWID. */
export const jobs = sqliteTable('jobs', {
  name: text().primaryKey(),
  last_run_at: integer().notNull(),
  /** A JSON object: where the next run continues with each kind of work that this run has not finished. */
  positions: text().notNull(),
  /** In the database of one store: the statistics that the last run has counted are right until this time. */
  counts_until: integer(),
})
