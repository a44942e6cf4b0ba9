/** The request as a row. Rules are conditions on it; a use case joins whatever else its rules need. */
import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { storeRowIdIn } from '../db/ids.ts'
import { access_tokens, stores } from '../db/schema.ts'
import { orm, withJoins } from '../db/statement.ts'
import { contextParams } from './context.ts'

/** The columns of the request itself, in statements that select from it. */
export const request = { store: sql<number>`request.store` }

/** The caller's token and the store of the request; each null if there is none. */
export const token = alias(access_tokens, 'token')
export const store = alias(stores, 'store')

export type RequestFields = Record<string, SQL | SQL.Aliased | SQLiteColumn>

/** One row: the request with its caller's token and its store. */
export function selectFromRequest<Fields extends RequestFields>(
  fields: Fields,
  number: SQLWrapper = contextParams.store,
) {
  return withJoins(
    orm.select(fields).from(sql`(select ${number} as store) request`),
    [token, eq(token.id, contextParams.caller)],
    [store, eq(store.id, storeRowIdIn(request.store))],
  )
}

/** When the caller's token was last used, as it is recorded: to be selected with an outcome. */
export const usedAt = sql<number | null>`${token.last_used_at}`.as('used_at')
