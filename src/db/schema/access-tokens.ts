import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

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
