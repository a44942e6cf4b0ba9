import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The last run of each cron. WITHOUT ROWID. */
export const jobs = sqliteTable('jobs', {
  name: text().primaryKey(),
  last_run_at: integer().notNull(),
  /** A JSON object: where the next run continues with each kind of work that this run has not finished. */
  positions: text().notNull(),
  /** In the database of one store: when the job runs next. Until then it has nothing to count, unless something changes. */
  counts_until: integer(),
})
