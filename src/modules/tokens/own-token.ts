import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeRowIdIn } from '../../db/ids.ts'
import { access_tokens, stores } from '../../db/schema/stores.ts'
import { named, orm, type RowOf, statement } from '../../db/statement.ts'
import { contextParams, type RequestContext, storeNumber } from '../../change/request.ts'
import { readAll } from '../../change/commit.ts'
import { requireRow } from '../../change/errors.ts'

/** Columns that share a name with another table's are renamed: D1 returns one value per column name. */
const selectOwnToken = statement({}, () =>
  orm
    .select(
      named({
        id: sql<number>`${access_tokens.id}`,
        store_slug: sql<string>`${stores.slug}`,
        store_name: sql<string>`${stores.name}`,
        store_language: sql<string>`${stores.language}`,
        store_time_zone: sql<string>`${stores.time_zone}`,
        name: sql<string>`${access_tokens.name}`,
        scopes: access_tokens.scopes,
        created_at: sql<number>`${access_tokens.created_at}`,
        expires_at: access_tokens.expires_at,
        last_used_at: access_tokens.last_used_at,
      }),
    )
    .from(access_tokens)
    .innerJoin(stores, eq(stores.id, storeRowIdIn(storeNumber)))
    .where(eq(access_tokens.id, contextParams.caller)),
)

export type OwnToken = RowOf<typeof selectOwnToken>

/** The token that sends the request, which does not count as a use of it. */
export async function getOwnToken(db: Db, context: RequestContext): Promise<OwnToken> {
  const { rows } = await readAll(db, context, { rows: selectOwnToken({}) }, { isUse: false })
  return requireRow(rows)
}
