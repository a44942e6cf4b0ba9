/** Products, the accesses of users to them, and bulk changes of accesses. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ACCESS_STATUSES, OPEN_STATUS } from './access-status.ts'
import { users } from './stores.ts'

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

/** One decision about many accesses (src/modules/bulk-changes). Its id is that of its event. A dry run has none (src/db/ids.ts). */
export const bulk_changes = sqliteTable(
  'bulk_changes',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    /** The place in the list, which shows bulk changes and dry runs in the order of their creation: an id of a sequence of its own. */
    position: integer().notNull(),
    /** The request that created it, the attempt that did, and its caller. The events of accesses have both ids. */
    request_id: text().notNull(),
    attempt: integer().notNull(),
    actor_id: integer().notNull(),
    /** Which accesses it is about. A filter that is null matches all. */
    filter_product_id: integer(),
    /** A JSON list of the users' numbers. */
    filter_user_ids: text(),
    filter_status: text(),
    filter_in_force: integer(),
    filter_due_after: integer(),
    filter_due_before: integer(),
    /** What it changes. `change_sets_due_date` is 1 if the due date is set, which may be to null. */
    change_status: text(),
    change_sets_due_date: integer().notNull(),
    change_access_due_date: integer(),
    change_extend_days: integer(),
    /** The bulk change whose changes it takes back. Then filter and change are null. */
    reverts: integer(),
    /** The newest bulk change that takes back the changes of this one. */
    reverted_by: integer(),
    dry_run: integer().notNull(),
    state: text({ enum: ['queued', 'running', 'done', 'canceled', 'failed'] }).notNull(),
    /**
     * The ids that it walks through: all after `starts_after`, up to `ends_at`, of which those up to `cursor` are
     * finished. They are ids of accesses; for a revert, ids of the events of the reverted bulk change.
     */
    starts_after: integer().notNull(),
    cursor: integer().notNull(),
    ends_at: integer().notNull(),
    matched: integer().notNull(),
    changed: integer().notNull(),
    created_at: integer().notNull(),
    started_at: integer(),
    /** When the cursor was last moved; before that, the time of its creation. */
    progressed_at: integer().notNull(),
    finished_at: integer(),
    /** The run that moved the cursor last. */
    run_id: text(),
    /** The request that canceled it. */
    canceled_by: text(),
    /** The events with which it began and ended; null for a dry run. The events of its accesses are between the two. */
    event_id: integer(),
    last_event_id: integer(),
    /** The key of a custom field, and the value that the users have. */
    filter_custom_field_key: text(),
    filter_custom_field_value: text(),
    change_extend_months: integer(),
    /** 1 if an access that ends later than `change_access_due_date`, or never, keeps its date. */
    change_never_shorten: integer().notNull().default(0),
    /** The time zone of the store at the request, in which days and months are counted. */
    time_zone: text().notNull().default('UTC'),
    /** What the changes do, each as a count of accesses. */
    opened: integer().notNull().default(0),
    closed: integer().notNull().default(0),
    later: integer().notNull().default(0),
    earlier: integer().notNull().default(0),
    limited: integer().notNull().default(0),
    unlimited: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('bulk_changes_position').on(table.position),
    uniqueIndex('bulk_changes_request_id').on(table.request_id),
    index('bulk_changes_unfinished')
      .on(table.store)
      .where(sql`finished_at is null`),
  ],
)

export type BulkChange = typeof bulk_changes.$inferSelect
