import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ofEach } from '../../lib/names.ts'
import { fieldsThatAre } from './user-field-table.ts'

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
    /** Null if there is no phone. */
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
