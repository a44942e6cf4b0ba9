/**
 * What the hourly job deletes. Claims and fencing tokens are examined in the order of their keys instead of through an index
 * on the time: a row read costs a thousandth of the row that such an index would write for every claim.
 */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { batch, runParams } from '../../db/batch.ts'
import { fencing_tokens, idempotency_keys } from '../../db/schema/stores.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { DAY_MS, CLAIM_TTL_SECONDS } from '../../limits.ts'
import { BACKLOG_LIMIT, PURGE } from '../../jobs/limits.ts'
import { eventPurge } from '../events/purge-events.ts'
import { positionOf } from '../../jobs/job-runs.ts'
import type { Purge } from '../../jobs/purge-in-turns.ts'

/** How long a fencing token is kept: far longer than a batch whose connection was lost can take to arrive. */
export const FENCING_TOKEN_TTL_MS = DAY_MS

interface OldRows {
  name: string
  /** A table with the column `created_at`. */
  table: SQLiteTable
  key: SQLiteColumn[]
  /** The position before the first key. */
  start: string
  ttlMs: number
}

const chunkParams = params('after_key')

const list = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)

function purgeOf({ name, table, key, start, ttlMs }: OldRows): Purge {
  const columns = list(key.map((column) => sql.identifier(column.name)))
  // A key of several columns is a JSON list that only SQL reads and writes: an id that is bound would lose digits in JSON.
  const isList = key.length > 1
  const position = isList ? sql`json_array(${columns})` : columns
  const keyAt = (at: SQL) => (isList ? list(key.map((_, i) => sql`${at} ->> ${i}`)) : at)
  const rowsAfter = (at: SQL, count: number) => sql`(select ${columns}, created_at from ${table}
    where (${columns}) > (${keyAt(at)}) order by ${columns} limit ${count})`
  const isOld = sql`created_at < ${runParams.now} - ${ttlMs}`
  const chunk = rowsAfter(chunkParams.after_key, PURGE.chunk)

  /** The last key of a chunk; no row at the end of the table. */
  const selectLast = statement(chunkParams, () =>
    orm
      .select({ last: sql<string>`${position}`.as('last') })
      .from(chunk)
      .limit(1)
      .offset(PURGE.chunk - 1),
  )
  const deleteOld = statement(chunkParams, () =>
    orm
      .delete(table)
      .where(sql`(${columns}) in (select ${columns} from ${chunk} where ${isOld})`)
      .returning({ deleted: sql<1>`1`.as('deleted') }),
  )
  return {
    name,
    statements: 2,
    async deleteChunk(db, after, { now }) {
      const at = { after_key: after ?? start }
      const { last, deleted } = await batch(db, { last: selectLast(at), deleted: deleteOld(at) }, { shared: { now } })
      return { deleted: deleted.length, next: last[0]?.last ?? null }
    },
    backlog() {
      const next = rowsAfter(sql`coalesce(${positionOf('hourly', name)}, ${start})`, BACKLOG_LIMIT)
      return sql<number>`(select count(*) from ${next} where ${isOld})`
    },
  }
}

const { store, caller_id, operation } = idempotency_keys

const claimPurge = purgeOf({
  name: 'claims',
  table: idempotency_keys,
  key: [store, caller_id, operation, idempotency_keys.key],
  start: '[0,0,"",""]',
  ttlMs: CLAIM_TTL_SECONDS * 1000,
})

/** The tokens whose earlier attempts can no longer arrive. */
export const fencingTokenPurge = purgeOf({
  name: 'fencing_tokens',
  table: fencing_tokens,
  key: [fencing_tokens.request_id],
  start: '',
  ttlMs: FENCING_TOKEN_TTL_MS,
})

export const PURGES: readonly Purge[] = [claimPurge, fencingTokenPurge, eventPurge]
