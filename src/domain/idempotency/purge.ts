/**
 * Deletes expired claims. It examines the table in the order of its key instead of through an index on the time: a row
 * read costs a thousandth of the row that such an index would write for every claim.
 */
import { asc, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, runParams } from '../../db/batch.ts'
import { idempotency_keys } from '../../db/schema.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { BACKLOG_LIMIT, CLAIM_TTL_SECONDS, PURGE } from '../../limits.ts'
import { positionOf } from '../job-runs.ts'
import type { Purge } from '../purge.ts'

const { store, caller_id, operation, key, created_at } = idempotency_keys

const PURGE_NAME = 'claims'

/** The key from which the first chunk starts: it is before that of every claim. */
const START = '[0,0,"",""]'

/**
 * Claims in the order of their keys. The last key is a JSON list that only SQL reads and writes: an id that is bound would
 * lose digits in JSON.
 */
function claimsAfter(position: SQL, count: number) {
  const field = (i: number) => sql`(${position} ->> ${i})`
  return orm
    .select({ store, caller_id, operation, key, created_at })
    .from(idempotency_keys)
    .where(sql`(${store}, ${caller_id}, ${operation}, ${key}) > (${field(0)}, ${field(1)}, ${field(2)}, ${field(3)})`)
    .orderBy(asc(store), asc(caller_id), asc(operation), asc(key))
    .limit(count)
    .as('examined')
}

const hasExpired = (time: SQLiteColumn) => lt(time, sql`${runParams.now} - ${CLAIM_TTL_SECONDS * 1000}`)

const chunkParams = params('after_claim')

/** The last claim of a chunk; no row at the end of the table. */
const selectLast = statement(chunkParams, () => {
  const examined = claimsAfter(chunkParams.after_claim, PURGE.chunk)
  const columns = sql`json_array(${examined.store}, ${examined.caller_id}, ${examined.operation}, ${examined.key})`
  return orm
    .select({ last: sql<string>`${columns}`.as('last') })
    .from(examined)
    .limit(1)
    .offset(PURGE.chunk - 1)
})

const deleteExpired = statement(chunkParams, () => {
  const examined = claimsAfter(chunkParams.after_claim, PURGE.chunk)
  const expired = orm
    .select({
      store: examined.store,
      caller_id: examined.caller_id,
      operation: examined.operation,
      key: examined.key,
    })
    .from(examined)
    .where(hasExpired(examined.created_at))
  return orm
    .delete(idempotency_keys)
    .where(sql`(${store}, ${caller_id}, ${operation}, ${key}) in ${expired}`)
    .returning({ deleted: sql<1>`1`.as('deleted') })
})

export function claimPurge(now: number): Purge {
  return {
    name: PURGE_NAME,
    statements: 2,
    async deleteChunk(db, after) {
      const position = { after_claim: after ?? START }
      const steps = { last: selectLast(position), deleted: deleteExpired(position) }
      const { last, deleted } = await batch(db, steps, { shared: { now } })
      return { deleted: deleted.length, next: last[0]?.last ?? null }
    },
  }
}

/** How many of the claims that the purge examines next have expired, up to a bound. */
export function countExpiredClaims(): SQL<number> {
  const examined = claimsAfter(sql`coalesce(${positionOf('hourly', PURGE_NAME)}, ${START})`, BACKLOG_LIMIT)
  return sql<number>`${orm
    .select({ count: sql`count(*)` })
    .from(examined)
    .where(hasExpired(examined.created_at))}`
}
