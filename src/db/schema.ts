/**
 * Every table. Properties carry the columns' own names, and no column has a decoder, so that a row
 * as D1 sends it is already the row type and hot statements need no mapping.
 * Times are milliseconds since the epoch. Each index is a billed row per write: none without its query.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const stores = sqliteTable('stores', {
  id: text().primaryKey(),
  name: text().notNull(),
  language: text().notNull(),
  created_at: integer().notNull(),
})

export const access_tokens = sqliteTable(
  'access_tokens',
  {
    id: integer().primaryKey(),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    name: text().notNull(),
    token_hash: text().notNull(),
    /** Scopes, separated by spaces (as in RFC 6749, section 3.3). */
    scopes: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer(),
    revoked_at: integer(),
    /** The start of the day (UTC) on which it was last used. */
    last_used_at: integer(),
  },
  (table) => [
    uniqueIndex('access_tokens_token_hash').on(table.token_hash),
    index('access_tokens_store_id').on(table.store_id),
  ],
)

export const custom_fields = sqliteTable(
  'custom_fields',
  {
    store_id: text()
      .notNull()
      .references(() => stores.id),
    key: text().notNull(),
    label: text(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.store_id, table.key] })],
)

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey(),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    /** The request that created the user: a retry after a lost answer recognises its own row by it. */
    request_id: text().notNull(),
    email_key: text().notNull(),
    email: text().notNull(),
    name: text().notNull(),
    last_name: text().notNull(),
    role: text().notNull(),
    language: text().notNull(),
    phone: text(),
    country: text(),
    external_id: text(),
    avatar: text(),
    /** A JSON object. */
    custom_fields: text(),
    /** A PHC string. */
    password_hash: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('users_store_id_email_key').on(table.store_id, table.email_key),
    index('users_store_id').on(table.store_id),
    index('users_store_id_external_id')
      .on(table.store_id, table.external_id)
      .where(sql`external_id is not null`),
  ],
)

export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey(),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    slug: text().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    expiration_days: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('products_store_id_slug').on(table.store_id, table.slug),
    index('products_store_id').on(table.store_id),
  ],
)

export const product_accesses = sqliteTable(
  'product_accesses',
  {
    id: integer().primaryKey(),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    product_id: integer()
      .notNull()
      .references(() => products.id),
    status: text().notNull(),
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
    /** Counts the changes: what the ETag tells. */
    version: integer().notNull().default(1),
    /** The last request that changed it: a retry after a lost answer recognises its own change by it. */
    request_id: text(),
  },
  (table) => [
    uniqueIndex('product_accesses_user_id_product_id').on(table.user_id, table.product_id),
    index('product_accesses_store_id').on(table.store_id),
  ],
)

/** Created WITHOUT ROWID (drizzle/0000_initial.sql), so that a claim is one billed row. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    token_id: integer().notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    user_id: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.token_id, table.operation, table.key] })],
)

/**
 * What happened, in the order of the commits: D1 has one writer, so a new id is higher than every id seen before. That
 * holds without AUTOINCREMENT (one more row per write) because the newest row is never deleted.
 */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey(),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    type: text().notNull(),
    created_at: integer().notNull(),
    /** Null for what the service did by itself. */
    request_id: text(),
    /** The access token that was used; null for the operator and the service. */
    token_id: integer(),
    user_id: integer(),
    product_id: integer(),
    product_access_id: integer(),
    access_token_id: integer(),
    webhook_endpoint_id: integer(),
    /** A JSON object, by changed column: its value before and after, `{"progress": {"from": 0, "to": 10}}`. */
    changes: text(),
  },
  (table) => [index('events_store_id').on(table.store_id)],
)

export const webhook_endpoints = sqliteTable(
  'webhook_endpoints',
  {
    /** Never used twice: deliveries of a deleted endpoint outlive it for a while. */
    id: integer().primaryKey({ autoIncrement: true }),
    store_id: text()
      .notNull()
      .references(() => stores.id),
    url: text().notNull(),
    /** Event types, separated by spaces; null for all. */
    types: text(),
    secret: text().notNull(),
    /** The secret before, valid until then. */
    previous_secret: text(),
    previous_secret_expires_at: integer(),
    /** The last event for which it was decided whether to deliver it. */
    cursor: integer().notNull(),
    /** Attempts that failed since the last success. */
    failures: integer().notNull().default(0),
    failing_since: integer(),
    /** No attempt before, while it fails. */
    retry_at: integer(),
    disabled_at: integer(),
    created_at: integer().notNull(),
  },
  (table) => [index('webhook_endpoints_store_id').on(table.store_id)],
)

/** Created WITHOUT ROWID (drizzle/0001_events.sql), so that a delivery is one billed row and, while pending, an index entry. */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer().notNull(),
    event_id: integer().notNull(),
    /** `pending`, `delivered` or `failed`. */
    state: text().notNull(),
    attempts: integer().notNull(),
    /** The HTTP status of the last answer; null where there was none. */
    last_status: integer(),
    last_attempt_at: integer(),
    /** Null once it is not pending. */
    next_attempt_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.event_id] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.next_attempt_at)
      .where(sql`next_attempt_at is not null`),
  ],
)

export type Store = typeof stores.$inferSelect
export type AccessToken = typeof access_tokens.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect
export type User = typeof users.$inferSelect
export type Product = typeof products.$inferSelect
export type ProductAccess = typeof product_accesses.$inferSelect
export type Event = typeof events.$inferSelect
export type WebhookEndpoint = typeof webhook_endpoints.$inferSelect
export type WebhookDelivery = typeof webhook_deliveries.$inferSelect
