/**
 * Every table. A record of a store has an id of `store number × 2^32 + n` (ids.ts): its rows are neighbours.
 * Properties carry the columns' own names, and no column has a decoder, so that a row as D1 sends it is already the
 * row type. Times are milliseconds since the epoch. Each index is a billed row per write: none without its query.
 */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const stores = sqliteTable(
  'stores',
  {
    /** That of its first event: the store's number × 2^32 + 1. */
    id: integer().primaryKey(),
    /** What paths name, and the wire calls its id. */
    slug: text().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    /** Since when its tokens are refused. */
    suspended_at: integer(),
    /** How many days before its end an access is announced to expire; 0: not at all. */
    expiry_notice_days: integer().notNull(),
    created_at: integer().notNull(),
    event_id: integer().notNull(),
  },
  (table) => [
    uniqueIndex('stores_slug').on(table.slug),
    index('stores_suspended_at')
      .on(table.suspended_at)
      .where(sql`suspended_at is not null`),
    // Below 2^53, so that a JavaScript number holds every id.
    check('stores_number', sql`id >> 32 between 1 and 2097151`),
  ],
)

/**
 * What happened, and the decision that it may: a change is made by the batch that inserts its event (decisions.ts).
 * A store's numbers follow each other without a gap; its newest event is never deleted, so that none is used twice.
 */
export const events = sqliteTable('events', {
  id: integer().primaryKey(),
  type: text().notNull(),
  created_at: integer().notNull(),
  /** Of the request, with `/index` where one request makes several changes; of the run, where a job does. */
  request_id: text().notNull(),
  /** A row of access_tokens; 0: the root; null: the service by itself. */
  actor_id: integer(),
  /** The record that it is about: the id of the event that made it. */
  subject_id: integer().notNull(),
  /** The event before it about the same record. */
  previous_id: integer(),
  /** Of an access. */
  user_id: integer(),
  product_id: integer(),
  /** What else its JSON shows: an object, such as `{"changes":{"status":{"from":…,"to":…}}}`. */
  data: text(),
})

/** Those of stores, and, under the store number 0, the operators. */
export const access_tokens = sqliteTable('access_tokens', {
  id: integer().primaryKey(),
  name: text().notNull(),
  /** SHA-256 of the secret's random bits. */
  hash: text().notNull(),
  /** A JSON object: the hash of each earlier secret, and until when it is good. */
  older_hashes: text(),
  /** Scopes, separated by spaces (as in RFC 6749, section 3.3); of an operator `viewer` or `viewer admin`. */
  scopes: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer(),
  revoked_at: integer(),
  /** The start of the day (UTC) on which it was last used. */
  last_used_at: integer(),
  event_id: integer().notNull(),
})

export const custom_fields = sqliteTable(
  'custom_fields',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    key: text().notNull(),
    label: text(),
    created_at: integer().notNull(),
    event_id: integer().notNull(),
  },
  (table) => [uniqueIndex('custom_fields_key').on(table.store, table.key)],
)

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    /** The form under which addresses are compared (emails.ts). */
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
    /** The newest event about it: its ETag. */
    event_id: integer().notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.store, table.email_key),
    index('users_external_id')
      .on(table.store, table.external_id)
      .where(sql`external_id is not null`),
  ],
)

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
  },
  (table) => [uniqueIndex('products_slug').on(table.store, table.slug)],
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
    /** When `product_access.expiring` and `.expired` were written for the present due date. */
    notified_at: integer(),
    expired_at: integer(),
    /** The newest event about it. */
    event_id: integer().notNull(),
    /** The event of the last change of a field: its ETag, which an expiry leaves as it is. */
    changed_by: integer().notNull(),
  },
  (table) => [
    uniqueIndex('product_accesses_user_id_product_id').on(table.user_id, table.product_id),
    index('product_accesses_product_id').on(table.product_id),
    index('product_accesses_to_notify')
      .on(table.store, table.access_due_date)
      .where(sql`status = 'with_access' and access_due_date is not null and notified_at is null`),
    index('product_accesses_to_expire')
      .on(table.access_due_date)
      .where(sql`status = 'with_access' and access_due_date is not null and expired_at is null`),
  ],
)

/**
 * Created WITHOUT ROWID (drizzle/0000_initial.sql), so that a claim is one billed row. Those of ATTEMPT_MARK (batch.ts) are
 * of no key: the `key` is a request's id, and the `record_id` tells which of its attempts has come.
 */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    store: integer().notNull(),
    /** As an event's actor. */
    caller_id: integer().notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** The user or access that the request created; of a mark, the attempt. */
    record_id: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.store, table.caller_id, table.operation, table.key] })],
)

export const webhook_endpoints = sqliteTable('webhook_endpoints', {
  id: integer().primaryKey(),
  url: text().notNull(),
  /** Event types, separated by spaces; null for all. */
  types: text(),
  secret: text().notNull(),
  /** A JSON object: each earlier secret, and until when it signs, too. */
  older_secrets: text(),
  /** The last event for which it was decided whether to deliver it. */
  cursor: integer().notNull(),
  /** Attempts that failed since the last success. */
  failures: integer().notNull(),
  failing_since: integer(),
  last_status: integer(),
  /**
   * How far the times of its deliveries are ahead of the clock. `enable` puts it forward, so that whatever waits is due
   * at once, half a million deliveries as well as one, and no row of them is written.
   */
  ahead_ms: integer().notNull(),
  disabled_at: integer(),
  created_at: integer().notNull(),
  event_id: integer().notNull(),
})

/** Created WITHOUT ROWID, so that a delivery is one billed row and, while pending, an index entry. */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer().notNull(),
    event_id: integer().notNull(),
    /** `pending`, `delivered` or `failed`. */
    state: text().notNull(),
    attempts: integer().notNull(),
    /** How many delays of the schedule are used up. */
    retries: integer().notNull(),
    /** The HTTP status of the last answer; null where there was none. */
    last_status: integer(),
    last_attempt_at: integer(),
    /** Of whoever is sending it at this moment. */
    lease: text(),
    /** When a lease ends that nobody has ended; without one the time of the next attempt, plus `ahead_ms`. Null once it is not pending. */
    next_attempt_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.event_id] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.lease, table.next_attempt_at)
      .where(sql`next_attempt_at is not null`),
  ],
)

export type Store = typeof stores.$inferSelect
export type Event = typeof events.$inferSelect
export type AccessToken = typeof access_tokens.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect
export type User = typeof users.$inferSelect
export type Product = typeof products.$inferSelect
export type ProductAccess = typeof product_accesses.$inferSelect
export type WebhookEndpoint = typeof webhook_endpoints.$inferSelect
export type WebhookDelivery = typeof webhook_deliveries.$inferSelect
