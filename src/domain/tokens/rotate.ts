import { getTableColumns } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { access_tokens, type AccessToken } from '../../db/schema.ts'
import { params, statement } from '../../db/statement.ts'
import { HOUR_MS } from '../../limits.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import { recordParams, recordValues } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import { isRevoked, type ShownToken } from './access-tokens.ts'
import { rotationOf } from './secret-rotation.ts'
import { newSecret, writeToken } from './token-format.ts'

interface RotationInput {
  /** TOKEN_KEY. */
  key: string
  number: number
  /** How long the replaced secret stays valid; 0 ends every older one at once. */
  overlap_hours: number
}

const {
  tooManySecrets,
  olderAfter,
  params: overlapParams,
} = rotationOf({
  current: access_tokens.hash,
  older: access_tokens.older_hashes,
})

const secretParams = params('hash')

const rotationParams = { ...recordParams, ...secretParams, ...overlapParams }

const rotation = updateOf(rotationParams, () => ({
  table: access_tokens,
  type: 'access_token.rotated',
  isMissing: isRevoked,
  rules: [tooManySecrets],
  after: secretParams,
  alsoSet: { older_hashes: olderAfter },
}))

const selectRotated = statement(rotationParams, () =>
  rotation.selectRequest({ ...resultOf(rotation.rules()), ...getTableColumns(access_tokens) }),
)

/** Gives the token a new secret. Throws the errors of the authorization, `not_found` and `too_many_secrets`. */
export async function rotateAccessToken(
  db: Db,
  context: RequestContext,
  { key, number, overlap_hours }: RotationInput,
): Promise<ShownToken> {
  const { bits, hash } = newSecret()
  const values = { ...recordValues({ number }), hash, overlap_ms: overlap_hours * HOUR_MS }
  const result = await commit(db, context, {
    event: rotation.insertEvent(values),
    token: rotation.updateRecord(values),
    result: selectRotated(values),
  })
  const row = requireRecord<AccessToken>(result)
  return { row, token: writeToken(key, row.id, bits) }
}
