/**
 * The row of an operator that a store with a database of its own has beside its records: for authorization and for events.
 */
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { access_tokens, type AccessToken } from '../../db/schema/stores.ts'
import { columnsOf, orm, params, statement } from '../../db/statement.ts'
import { ofEach } from '../../lib/names.ts'

/** Without the email and the last use: the store's database has no use for them. */
const COPIED = [
  'id',
  'name',
  'hash',
  'older_hashes',
  'scopes',
  'store_numbers',
  'created_at',
  'expires_at',
  'revoked_at',
  'event_id',
] as const satisfies (keyof AccessToken)[]

/** The operator's row as JSON; null for the root, who has no row. Ids of operators are small, so JSON keeps them. */
export function operatorAsJson(id: SQL | SQLiteColumn): SQL<string | null> {
  const columns = COPIED.map((name) => sql`${name}, ${access_tokens[name]}`)
  const row = orm
    .select({ json: sql`json_object(${sql.join(columns, sql`, `)})` })
    .from(access_tokens)
    .where(eq(access_tokens.id, id))
  return sql<string | null>`${row}`
}

export const copyParams = params('operator')

/** Inserts or updates the operator of the JSON. Does nothing for the root. */
export const upsertOperator = statement(copyParams, () => upsertIf())

/** The query of `upsertOperator`, for a statement that writes only if the condition holds. */
export function upsertIf(condition?: SQL) {
  const copied = ofEach(COPIED, (name) => sql`${copyParams.operator} ->> ${name}`)
  const changed = ofEach(COPIED, (name) => sql`excluded.${sql.raw(name)}`)
  return orm
    .insert(access_tokens)
    .select(
      orm
        .select(columnsOf(access_tokens, { ...copied, email: null, email_key: null, last_used_at: null }))
        .from(sql`(select 1)`)
        .where(and(isNotNull(copyParams.operator), condition)),
    )
    .onConflictDoUpdate({
      target: access_tokens.id,
      set: changed,
      setWhere: sql.join(
        COPIED.map((name) => sql`${access_tokens[name]} is not ${changed[name]}`),
        sql` or `,
      ),
    })
}
