import { sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, type RowOf, statement } from '../../db/statement.ts'
import { access_tokens, stores } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { foundRow } from '../errors.ts'
import { storeRowId } from '../change/authorize.ts'
import { readUnnoted } from '../change/read.ts'

const selectOwnToken = statement((p: Params<CallValues>, orm) =>
  orm
    .select({
      store_slug: sql<string>`${stores.slug}`.as('store_slug'),
      name: sql<string>`${access_tokens.name}`.as('name'),
      scopes: access_tokens.scopes,
      created_at: sql<number>`${access_tokens.created_at}`.as('created_at'),
      expires_at: access_tokens.expires_at,
      last_used_at: access_tokens.last_used_at,
    })
    .from(access_tokens)
    .innerJoin(stores, sql`${stores.id} = ${storeRowId(p)}`)
    .where(sql`${access_tokens.id} = ${p.caller}`),
)

export type OwnToken = RowOf<typeof selectOwnToken>

/** The token that asks. Asking is not using: no day of use is noted. */
export async function getOwnToken(db: Db, call: Call): Promise<OwnToken> {
  const { rows } = await readUnnoted(db, call, { rows: selectOwnToken(callValues(call)) })
  return foundRow(rows)
}
