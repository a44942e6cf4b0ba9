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

export type Store = typeof stores.$inferSelect
export type AccessToken = typeof access_tokens.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect
export type User = typeof users.$inferSelect
export type Product = typeof products.$inferSelect
export type ProductAccess = typeof product_accesses.$inferSelect
