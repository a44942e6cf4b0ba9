/** Rotation: the replaced secret stays valid for a while, next to older ones that have not expired yet. */
import { and, gt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { lazySql, orm, params } from '../db/statement.ts'
import { ROTATION } from '../limits.ts'
import { contextParams, rule } from '../change/request.ts'

interface SecretColumns {
  current: SQLiteColumn
  /** A JSON object with each older secret and the time at which it expires. */
  older: SQLiteColumn
}

/** How long the replaced secret stays valid. 0 ends it and every older one at once. */
const rotationParams = params('overlap_ms')

/** The new secret and the replaced one are valid, too. */
const MAX_OLDER = ROTATION.secrets - 2

/** The columns of the older secrets, in a query over the JSON object. */
const secret = sql`key`
const expiresAt = sql`value`

export function rotationOf({ current, older }: SecretColumns) {
  const { overlap_ms } = rotationParams
  const olderSecrets = sql`json_each(coalesce(${older}, '{}'))`
  const isValid = gt(expiresAt, contextParams.now)
  const validCount = lazySql(() =>
    orm
      .select({ count: sql`count(*)` })
      .from(olderSecrets)
      .where(isValid),
  )
  const stillValid = lazySql(() =>
    orm
      .select({ secrets: sql`json_group_object(${secret}, ${expiresAt})` })
      .from(olderSecrets)
      .where(isValid),
  )
  // A sum of bound numbers is a double, and a time in JSON must have no fraction.
  const replaced = sql`json_object(${current}, cast(${contextParams.now} + ${overlap_ms} as integer))`
  return {
    params: rotationParams,
    tooManySecrets: rule('too_many_secrets', and(gt(overlap_ms, 0), gt(validCount, MAX_OLDER))),
    /** The older secrets after the rotation. */
    olderAfter: sql`iif(${overlap_ms} = 0, null, json_patch(${stillValid}, ${replaced}))`,
  }
}
