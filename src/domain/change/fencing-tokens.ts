import { inArray, lt } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { fencing_tokens } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { FENCING_TOKEN_TTL_MS } from '../../limits.ts'
import { deleteInChunks } from '../purge.ts'

/**
 * Deletes the fencing tokens whose earlier attempts can no longer arrive, and returns their number. Each chunk reads the
 * whole table: it has one row for each request of the last day whose batch was sent again.
 */
export function purgeFencingTokens(db: Db, now: number): Promise<number> {
  return deleteInChunks(db, (limit) => deleteOldTokens({ left_before: now - FENCING_TOKEN_TTL_MS, chunk: limit }))
}

const purgeParams = params('left_before', 'chunk')

const deleteOldTokens = statement(purgeParams, () => {
  const { request_id, created_at } = fencing_tokens
  const old = orm
    .select({ request_id })
    .from(fencing_tokens)
    .where(lt(created_at, purgeParams.left_before))
    .limit(limitOf(purgeParams.chunk))
  return orm.delete(fencing_tokens).where(inArray(request_id, old)).returning({ request_id })
})
