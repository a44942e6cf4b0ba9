/** Secrets that overlap: the one that is replaced stays good for a while, beside older ones whose time has not come. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Params } from '../../db/statement.ts'
import { ROTATION } from '../../limits.ts'

interface SecretColumns {
  current: SQLiteColumn
  /** A JSON object: each earlier secret, and until when it is good. */
  older: SQLiteColumn
}

type P = Params<{ now: number; overlap_ms: number }>

/** The new secret and the one that it replaces are good, too. */
const MAX_OLDER = ROTATION.secrets - 2

export function rotationOf({ current, older }: SecretColumns) {
  const stillGood = (p: P) => sql`from json_each(coalesce(${older}, '{}')) where value > ${p.now}`
  return {
    /** `too_many_secrets`, or null. An overlap of 0 ends all of them, and is never too many. */
    verdict: (p: P): SQL<'too_many_secrets' | null> =>
      sql`iif(${p.overlap_ms} > 0 and (select count(*) ${stillGood(p)}) > ${MAX_OLDER}, 'too_many_secrets', null)`,
    /** What `older` becomes. */
    olderAfter: (p: P): SQL =>
      sql`iif(${p.overlap_ms} = 0, null, (select json_group_object(secret, until) from (
        select key as secret, value as until ${stillGood(p)}
        union all select ${current}, cast(${p.now} + ${p.overlap_ms} as integer))))`,
  }
}
