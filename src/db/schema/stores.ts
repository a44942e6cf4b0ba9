/**
 * What every change may read or write: stores, who works in them, their users, events, and claims and fencing tokens. A
 * record of a store has the id `store number × 2^32 + n` (src/db/ids.ts), so that the rows of a store are stored next to
 * each other. Properties have the names of their columns and no column has a decoder, because rows are used as the database
 * returns them. Times are milliseconds since the epoch. Every index costs a billed row per write, so each one serves a query.
 */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ofEach } from '../../lib/names.ts'
import { fieldsThatAre } from './user-field-table.ts'

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
    /** `UTC`, or the IANA name as it was sent: where the store's days are (src/calendar.ts). */
    time_zone: text().notNull().default('UTC'),
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
 * When the clocks of the time zones change, for SQL that counts days. Each zone has a row of its own, so that no request
 * reads it but those that count. `UTC` has none. WITHOUT ROWID.
 */
export const time_zones = sqliteTable('time_zones', {
  /** As a store has it. */
  name: text().primaryKey(),
  /** A JSON list of pairs: an instant, and the milliseconds that the clocks are ahead of UTC from then on. */
  changes: text().notNull(),
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

export type Store = typeof stores.$inferSelect
export type CustomField = typeof custom_fields.$inferSelect

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
    /**
     * Scopes separated by spaces, as in RFC 6749, section 3.3. Those of an operator are a role
     * (src/modules/operators/operators.ts).
     */
    scopes: text().notNull(),
    /** The email with which an operator signs in, and the form in which it is compared (src/lib/emails.ts). */
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

export type AccessToken = typeof access_tokens.$inferSelect

/**
 * Operators write the first half of the columns, together with an event. The endpoint's object
 * (src/modules/webhooks/deliveries/object.ts) writes the second half: what it reports of itself, for lists, for the status and for the
 * job that looks for lost wake-ups.
 */
export const webhook_endpoints = sqliteTable('webhook_endpoints', {
  id: integer().primaryKey(),
  url: text().notNull(),
  /** Event types separated by spaces; null for all. */
  types: text(),
  secret: text().notNull(),
  /** A JSON object with each earlier secret and the time until which it also signs. */
  older_secrets: text(),
  disabled_at: integer(),
  /**
   * The event that last resumed delivery: `enable`, or a new URL. A report of an object that has not seen it is dropped, or
   * it would overwrite what the operator has just reset.
   */
  resumed_by: integer().notNull(),
  created_at: integer().notNull(),
  event_id: integer().notNull(),

  /** Every event up to this one was delivered, given up, or waits as a delivery in the object. */
  cursor: integer().notNull(),
  failing_since: integer(),
  last_status: integer(),
  /** 1 if the endpoint is down: it is only probed, and changes do not wake it. */
  is_down: integer().notNull(),
  /** When the next retry or probe is due. */
  next_attempt_at: integer(),
  /** How many deliveries wait for a retry, up to a bound, and the time of the oldest one's event. */
  pending: integer().notNull(),
  oldest_pending_at: integer(),
})

export type WebhookEndpoint = typeof webhook_endpoints.$inferSelect

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey(),
    store: integer().notNull(),
    /** The form in which email addresses are compared (src/lib/emails.ts). */
    email_key: text().notNull(),
    email: text().notNull(),
    name: text().notNull(),
    last_name: text().notNull(),
    /**
     * What a search compares (src/modules/users/folding.ts). They stand before the custom fields, because a row that is
     * longer than a page is then not read to its end.
     */
    name_folded: text().notNull(),
    last_name_folded: text().notNull(),
    /** Null if it is the same as `email_key`: for every address in ASCII. */
    email_folded: text(),
    phone_digits: text(),
    role: text().notNull(),
    language: text().notNull(),
    ...ofEach(fieldsThatAre('optional'), () => text()),
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

export type User = typeof users.$inferSelect

/**
 * What happened. A change is made by the batch that inserts its event (src/change/event.ts). The ids of a store are
 * consecutive, and its newest event is never deleted: otherwise an id could be used twice.
 */
export const events = sqliteTable('events', {
  id: integer().primaryKey(),
  type: text().notNull(),
  created_at: integer().notNull(),
  /** The id of the request, followed by `/index` if the request makes several changes; or the id of a job's run. */
  request_id: text().notNull(),
  /** The attempt that inserted the event, from 0 (src/change/event.ts). */
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
    /** HMACs under TOKEN_KEY (src/http/respond/replays.ts). */
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** The record that the request created, or the access that it extended. */
    record_id: integer().notNull(),
    created_at: integer().notNull(),
    /** The event of an extension. Null for a record that the request created: it has the id of its event. */
    event_id: integer(),
  },
  (table) => [primaryKey({ columns: [table.store, table.caller_id, table.operation, table.key] })],
)

/**
 * The highest attempt of each request whose batch was sent again. An earlier attempt that arrives late finds it and does
 * nothing (src/change/event.ts). WITHOUT ROWID.
 */
export const fencing_tokens = sqliteTable('fencing_tokens', {
  request_id: text().primaryKey(),
  attempt: integer().notNull(),
  created_at: integer().notNull(),
})
