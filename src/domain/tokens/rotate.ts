import type { Db } from '../../db/batch.ts'
import { access_tokens } from '../../db/schema.ts'
import { HOUR_MS } from '../../limits.ts'
import { NOT_REVOKED, selectToken, type ShownToken } from './access-tokens.ts'
import { type Call, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { rotationOf } from './secret-rotation.ts'
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

const rotation = rotationOf({ current: access_tokens.hash, older: access_tokens.older_hashes })

const rotationSteps = changeOf<typeof access_tokens, 'hash', { overlap_ms: number }>({
  table: access_tokens,
  type: 'access_token.rotated',
  fields: FIELDS,
  where: NOT_REVOKED,
  refusedWith: rotation.verdict,
  alsoSets: (p) => ({ older_hashes: rotation.olderAfter(p) }),
})

/** Gives the token a new secret. Throws `not_found` and `too_many_secrets`. */
export async function rotateAccessToken(db: Db, { call, key, number, overlap_hours }: Rotation): Promise<ShownToken> {
  const { bits, hash } = newSecret()
  const values = { ...callValues(call), ...recordValues(number), ...fieldValues(FIELDS, { hash }) }
  const steps = rotationSteps({ ...values, overlap_ms: overlap_hours * HOUR_MS })
  const row = await sendChange(db, { call, steps, found: selectToken(values) })
  return { row, token: writeToken(key, row.id, bits) }
}
