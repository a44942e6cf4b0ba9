/** Deletes the fencing tokens whose earlier attempts can no longer arrive. It examines the table in the order of its key. */
import { asc, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, runParams } from '../../db/batch.ts'
import { fencing_tokens } from '../../db/schema.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { BACKLOG_LIMIT, FENCING_TOKEN_TTL_MS, PURGE } from '../../limits.ts'
import { positionOf } from '../job-runs.ts'
import type { Purge } from '../purge.ts'

const { request_id, created_at } = fencing_tokens

const PURGE_NAME = 'fencing_tokens'

function tokensAfter(position: SQL, count: number) {
  return orm
    .select({ request_id, created_at })
    .from(fencing_tokens)
    .where(gt(request_id, position))
    .orderBy(asc(request_id))
    .limit(count)
    .as('examined')
}

const isOld = (time: SQLiteColumn) => lt(time, sql`${runParams.now} - ${FENCING_TOKEN_TTL_MS}`)

const chunkParams = params('after_token')

/** The last token of a chunk; no row at the end of the table. */
const selectLast = statement(chunkParams, () => {
  const examined = tokensAfter(chunkParams.after_token, PURGE.chunk)
  return orm
    .select({ last: examined.request_id })
    .from(examined)
    .limit(1)
    .offset(PURGE.chunk - 1)
})

const deleteOld = statement(chunkParams, () => {
  const examined = tokensAfter(chunkParams.after_token, PURGE.chunk)
  const old = orm.select({ request_id: examined.request_id }).from(examined).where(isOld(examined.created_at))
  return orm
    .delete(fencing_tokens)
    .where(inArray(request_id, old))
    .returning({ deleted: sql<1>`1`.as('deleted') })
})

export function fencingTokenPurge(now: number): Purge {
  return {
    name: PURGE_NAME,
    statements: 2,
    async deleteChunk(db, after) {
      const position = { after_token: after ?? '' }
      const steps = { last: selectLast(position), deleted: deleteOld(position) }
      const { last, deleted } = await batch(db, steps, { shared: { now } })
      return { deleted: deleted.length, next: last[0]?.last ?? null }
    },
  }
}

/** How many of the fencing tokens that the purge examines next are to be deleted, up to a bound. */
export function countOldTokens(): SQL<number> {
  const examined = tokensAfter(sql`coalesce(${positionOf('hourly', PURGE_NAME)}, '')`, BACKLOG_LIMIT)
  return sql<number>`${orm
    .select({ count: sql`count(*)` })
    .from(examined)
    .where(isOld(examined.created_at))}`
}
