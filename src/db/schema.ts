/**
 * Every table. A record of a store has the id `store number × 2^32 + n` (ids.ts), so that the rows of a store are stored
 * next to each other. Properties have the names of their columns and no column has a decoder, because rows are used as
 * D1 returns them. Times are milliseconds since the epoch. Every index costs a billed row per write, so each one serves a
 * query.
 */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const stores = sqliteTable(
  'stores',
  {
    /** The id of the store's first event: the store's number × 2^32 + 1. */
    id: integer().primaryKey(),
    /** The name of the store in paths. The API calls it the store's id. */
    slug: text().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    /** Since when the store's tokens are rejected. */
    suspended_at: integer(),
    /** How many days before its due date an access gets the event `product_access.expiring`; 0 for none. */
    expiry_notice_days: integer().notNull(),
    /** Near which region the object of the store was created, if somebody chose one. Null for a store in the shared database. */
    location: text(),
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
 * What happened. A change is made by the batch that inserts its event (domain/change/event.ts). The ids of a store are
 * consecutive, and its newest event is never deleted: otherwise an id could be used twice.
 */
export const events = sqliteTable('events', {
  id: integer().primaryKey(),
  type: text().notNull(),
  created_at: integer().notNull(),
  /** The id of the request, followed by `/index` if the request makes several changes; or the id of a job's run. */
  request_id: text().notNull(),
  /** The attempt that inserted the event, from 0 (domain/change/event.ts). */
  attempt: integer().notNull(),
  /** A row of access_tokens, 0 for the root, or null for the service itself. */
  actor_id: integer(),
  /** The record that the event is about. Its id is that of the event that created it. */
  subject_id: integer().notNull(),
  /** The previous event about the same record. */
  previous_id: integer(),
  /** The user and the product of an access. */
  user_id: integer(),
  product_id: integer(),
  /** A JSON object that is added to the event's `data`, such as `{"changes":{"status":{"from":…,"to":…}}}`. */
  data: text(),
})

/** The tokens of stores and, under the store number 0, of operators. */
export const access_tokens = sqliteTable(
  'access_tokens',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** SHA-256 of the secret's random bits. */
    hash: text().notNull(),
    /** A JSON object with the hash of each earlier secret and the time at which it expires. */
    older_hashes: text(),
    /** Scopes separated by spaces, as in RFC 6749, section 3.3. An operator has `viewer` or `viewer admin`. */
    scopes: text().notNull(),
    /** The email with which an operator signs in, and the form in which it is compared (domain/users/emails.ts). */
    email: text(),
    email_key: text(),
    /** The numbers of the stores to which an operator is limited, separated by spaces; null for all stores. */
    store_numbers: text(),
    created_at: integer().notNull(),
    expires_at: integer(),
    revoked_at: integer(),
    /** The start of the day (UTC) on which the token was last used. */
    last_used_at: integer(),
    event_id: integer().notNull(),
  },
  (table) => [
    uniqueIndex('access_tokens_email_key')
      .on(table.email_key)
      .where(sql`email_key is not null and revoked_at is null`),
  ],
)

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
    /** The form in which email addresses are compared (domain/users/emails.ts). */
    email_key: text().notNull(),
    email: text().notNull(),
    name: text().notNull(),
    last_name: text().notNull(),
    /**
     * What a search compares (domain/users/folding.ts). They stand before the custom fields, because a row that is longer
     * than a page is then not read to its end.
     */
    name_folded: text().notNull(),
    last_name_folded: text().notNull(),
    /** Null if it is the same as `email_key`: for every address in ASCII. */
    email_folded: text(),
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
    /** The newest event about the user: its ETag. */
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
    /** The accesses to the product, and those in force, as the job has counted them (domain/stats/count.ts). */
    accesses: integer().notNull().default(0),
    in_force: integer().notNull().default(0),
    /** The same in the recount that is running; 0 if none is. */
    recount_accesses: integer().notNull().default(0),
    recount_in_force: integer().notNull().default(0),
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
    /** When `product_access.expiring` and `.expired` were written for the current due date. */
    notified_at: integer(),
    expired_at: integer(),
    /** The newest event about the access. */
    event_id: integer().notNull(),
    /** The event of the last change of a field: its ETag. An expiry does not change it. */
    changed_by: integer().notNull(),
    /**
     * How the statistics count the access: 1 if it is not in force, 2 if it is, 3 if it also ends within seven days. Null
     * until the job has counted it.
     */
    counted_as: integer(),
  },
  (table) => [
    uniqueIndex('product_accesses_user_id_product_id').on(table.user_id, table.product_id),
    index('product_accesses_product_id').on(table.product_id),
    index('product_accesses_to_notify')
      .on(table.store, table.access_due_date)
      .where(sql`status = 'with_access' and access_due_date is not null and notified_at is null`),
    index('product_accesses_to_expire')
      .on(table.store, table.access_due_date)
      .where(sql`status = 'with_access' and access_due_date is not null and expired_at is null`),
  ],
)

/**
 * The claims of idempotency keys: which record a key stands for. The table is WITHOUT ROWID (drizzle/0000_initial.sql),
 * so that a claim is one billed row.
 */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    store: integer().notNull(),
    /** As the actor of an event. */
    caller_id: integer().notNull(),
    operation: text().notNull(),
    /** HMACs under TOKEN_KEY (domain/idempotency/fingerprints.ts). */
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** The user or access that the request created. */
    record_id: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.store, table.caller_id, table.operation, table.key] })],
)

/**
 * The highest attempt of each request whose batch was sent again. An earlier attempt that arrives late finds it and does
 * nothing (domain/change/event.ts). WITHOUT ROWID.
 */
export const fencing_tokens = sqliteTable('fencing_tokens', {
  request_id: text().primaryKey(),
  attempt: integer().notNull(),
  created_at: integer().notNull(),
})

export const webhook_endpoints = sqliteTable('webhook_endpoints', {
  id: integer().primaryKey(),
  url: text().notNull(),
  /** Event types separated by spaces; null for all. */
  types: text(),
  secret: text().notNull(),
  /** A JSON object with each earlier secret and the time until which it also signs. */
  older_secrets: text(),
  /** Deliveries exist for all events up to this one that the endpoint asked for. */
  cursor: integer().notNull(),
  /** The number of failed attempts since the last success, or since an operator enabled the endpoint. */
  failures: integer().notNull(),
  failing_since: integer(),
  last_status: integer(),
  /** When the next probe may begin. Null unless the endpoint is down. */
  probe_at: integer(),
  /** How many probes have failed since the endpoint went down: the position in their schedule. */
  probes: integer().notNull(),
  /**
   * When delivery resumes, everything that waits is due at once: the waiting deliveries of events after `resumed_after`, up
   * to `resumed_until`, whatever their time. Each poll moves `resumed_after` to the first of them, so one that fails again
   * keeps its new time. Writing to the deliveries instead would cost up to half a million rows.
   */
  resumed_after: integer().notNull(),
  resumed_until: integer().notNull(),
  /** When the next scheduled wake-up arrives. A poll schedules another one only if it is to arrive earlier. */
  wake_at: integer(),
  disabled_at: integer(),
  created_at: integer().notNull(),
  event_id: integer().notNull(),
})

/** WITHOUT ROWID, so that a delivery is one billed row, one index entry while it is pending, and another while it waits. */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer().notNull(),
    event_id: integer().notNull(),
    /** `pending`, `delivered` or `failed`. */
    state: text().notNull(),
    attempts: integer().notNull(),
    /** How many delays of the retry schedule are used up. */
    retries: integer().notNull(),
    /** The HTTP status of the last response; null if there was none. */
    last_status: integer(),
    last_attempt_at: integer(),
    /** The id of the poll that leased the delivery. */
    lease: text(),
    /** When the lease ends; then the consumer has died, and another poll may claim the delivery. Null without a lease. */
    leased_until: integer(),
    /**
     * The time of the next attempt; of one in flight, the time at which it was claimed. While the endpoint is down nothing
     * is sent at that time. It is null once the delivery is no longer pending, or the poll would claim it again.
     */
    next_attempt_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.event_id] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.leased_until, table.next_attempt_at)
      .where(sql`next_attempt_at is not null`),
    // What waits, in the order of the events. One that succeeds at its first attempt never waits and is not in it.
    index('webhook_deliveries_waiting')
      .on(table.endpoint_id, table.event_id)
      .where(sql`leased_until is null and next_attempt_at is not null`),
  ],
)

/**
 * One decision about many accesses (domain/bulk). Its ids are of the store's rising sequence, but a dry run has no event,
 * so the next record of another kind may get the same number.
 */
export const bulk_changes = sqliteTable(
  'bulk_changes',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
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
    /** The consumer that moved the cursor last. Another one that finds it there stops. */
    run_id: text(),
    /** The request that canceled it. */
    canceled_by: text(),
    /** The events with which it began and ended; null for a dry run. The events of its accesses are between the two. */
    event_id: integer(),
    last_event_id: integer(),
  },
  (table) => [
    uniqueIndex('bulk_changes_request_id').on(table.request_id),
    index('bulk_changes_unfinished')
      .on(table.store)
      .where(sql`finished_at is null`),
  ],
)

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

/** The last run of each cron. WITHOUT ROWID. */
export const jobs = sqliteTable('jobs', {
  name: text().primaryKey(),
  last_run_at: integer().notNull(),
  /** A JSON object: where the next run continues with each kind of work that this run has not finished. */
  positions: text().notNull(),
  /** In the database of one store: when the next run is due. Before that, no work is due. */
  next_run_at: integer(),
})

/**
 * The stores that have a database of their own (db/places.ts). This table is used in the shared database alone. It gives
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
    /** When the database of the store was ready. Until then, the next request for the store completes it. */
    completed_at: integer(),
    /** When the store is to do its next work. If it is much later, nobody wakes it. */
    alarm_at: integer(),
    bytes: integer().notNull().default(0),
    pending: integer().notNull().default(0),
    oldest_pending_at: integer(),
    failing: integer().notNull().default(0),
    down: integer().notNull().default(0),
    disabled: integer().notNull().default(0),
    purge_backlog: integer().notNull().default(0),
  },
  (table) => [uniqueIndex('directory_slug').on(table.slug)],
)

export type DirectoryRow = typeof directory.$inferSelect
export type Store = typeof stores.$inferSelect
export type Event = typeof events.$inferSelect
export type AccessToken = typeof access_tokens.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect
export type User = typeof users.$inferSelect
export type Product = typeof products.$inferSelect
export type ProductAccess = typeof product_accesses.$inferSelect
export type WebhookEndpoint = typeof webhook_endpoints.$inferSelect
export type BulkChange = typeof bulk_changes.$inferSelect
export type WebhookDelivery = typeof webhook_deliveries.$inferSelect
