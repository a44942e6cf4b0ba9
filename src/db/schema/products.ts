import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ACCESS_STATUSES, OPEN_STATUS } from './access-status.ts'
import { users } from './users.ts'

const IS_OPEN = `status = '${OPEN_STATUS}'`

export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    expiration_days: integer(),
    created_at: integer().notNull(),
    event_id: integer().notNull(),
    /** The accesses to the product, and those in force, as the job has counted them (src/modules/statistics/count-statistics.ts). */
    accesses: integer().notNull().default(0),
    in_force: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('products_slug').on(table.store, table.slug),
    index('products_accesses')
      .on(table.store, sql`accesses desc`)
      .where(sql`accesses > 0`),
  ],
)

export const product_accesses = sqliteTable(
  'product_accesses',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    product_id: integer()
      .notNull()
      .references(() => products.id),
    status: text({ enum: ACCESS_STATUSES }).notNull(),
    access_due_date: integer(),
    started_at: integer(),
    completed_at: integer(),
    progress: integer().notNull(),
    passed: integer().notNull(),
    /** A JSON string, number or boolean. */
    grade: text(),
    concept_grade: text(),
    certificate_url: text(),
    created_at: integer().notNull(),
    /** When `product_access.expiring` and `.expired` were written for the current due date. */
    notified_at: integer(),
    expired_at: integer(),
    /** The newest event about the access. */
    event_id: integer().notNull(),
    /** The event of the last change of a field: its ETag. An expiry does not change it. */
    changed_by: integer().notNull(),
  },
  (table) => [
    uniqueIndex('product_accesses_user_id_product_id').on(table.user_id, table.product_id),
    index('product_accesses_product_id').on(table.product_id),
    index('product_accesses_to_notify')
      .on(table.store, table.access_due_date)
      .where(sql.raw(`${IS_OPEN} and access_due_date is not null and notified_at is null`)),
    index('product_accesses_to_expire')
      .on(table.store, table.access_due_date)
      .where(sql.raw(`${IS_OPEN} and access_due_date is not null and expired_at is null`)),
  ],
)

export type Product = typeof products.$inferSelect
export type ProductAccess = typeof product_accesses.$inferSelect
