import { type SQL, sql } from 'drizzle-orm'
import type { Db, Params } from '../db/batch.ts'
import { access_tokens } from '../db/schema.ts'
import { HOUR_MS, ROTATION } from '../limits.ts'
import { findToken, NOT_REVOKED, type ShownToken } from './access-tokens.ts'
import { type Call, type CallValues, callValues } from './caller.ts'
import { changeOf, fieldValues, recordValues, sendChange } from './changes.ts'
import { newSecret, writeToken } from './token-format.ts'

interface Rotation {
  call: Call
  /** TOKEN_KEY. */
  key: string
  number: number
  /** How long the secret that is replaced stays good; 0 ends every older one at once. */
  overlap_hours: number
}

const FIELDS = ['hash'] as const

/** The older secrets whose own time has not come. */
function stillGood(p: Params<CallValues>): SQL {
  return sql`from json_each(coalesce(${access_tokens.older_hashes}, '{}')) where value > ${p.now}`
}

/** The one that is made and the one that is replaced are good, too. */
const MAX_OLDER = ROTATION.secrets - 2

const rotate = changeOf<'hash', { overlap_ms: number }>({
  table: access_tokens,
  type: 'access_token.rotated',
  fields: FIELDS,
  where: NOT_REVOKED,
  unless: (p) =>
    sql`iif(${p.overlap_ms} > 0 and (select count(*) ${stillGood(p)}) > ${MAX_OLDER}, 'too_many_secrets', null)`,
  also: (p) => ({
    older_hashes: sql`iif(${p.overlap_ms} = 0, null, (select json_group_object(hash, until) from (
      select key as hash, value as until ${stillGood(p)}
      union all select ${access_tokens.hash}, cast(${p.now} + ${p.overlap_ms} as integer))))`,
  }),
})

/** Gives the token a new secret. Throws `not_found` and `too_many_secrets`. */
export async function rotateAccessToken(db: Db, { call, key, number, overlap_hours }: Rotation): Promise<ShownToken> {
  const { bits, hash } = newSecret()
  const values = { ...callValues(call), ...recordValues(number), ...fieldValues(FIELDS, { hash }) }
  const steps = rotate({ ...values, overlap_ms: overlap_hours * HOUR_MS })
  const row = await sendChange(db, call, steps, findToken(values))
  return { row, token: writeToken(key, row.id, bits) }
}
