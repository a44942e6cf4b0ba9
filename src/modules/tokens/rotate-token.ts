import { getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { numberOf } from '../../db/ids.ts'
import { access_tokens, type AccessToken } from '../../db/schema/stores.ts'
import { named, params } from '../../db/statement.ts'
import { HOUR_MS } from '../../limits.ts'
import { type RequestContext, storeRow } from '../../change/request.ts'
import { updateOf } from '../../change/update-record.ts'
import { isRevoked, type ShownToken } from './access-tokens.ts'
import { rotationOf } from '../../auth/secret-rotation.ts'
import { newSecret, writeToken } from '../../auth/token-format.ts'

interface OwnRotation {
  /** TOKEN_KEY. */
  key: string
  /** How long the replaced secret stays valid; 0 ends every older one at once. */
  overlap_hours: number
}

interface Rotation extends OwnRotation {
  number: number
}

const rotation = rotationOf({ current: access_tokens.hash, older: access_tokens.older_hashes })

const secretParams = params('hash')

const rotationParams = { ...secretParams, ...rotation.params }

/** The store of the request, under names that the token has not. */
const storeOfToken = named({
  store_slug: sql<string>`${storeRow.slug}`,
  store_name: sql<string>`${storeRow.name}`,
  store_language: sql<string>`${storeRow.language}`,
  store_time_zone: sql<string>`${storeRow.time_zone}`,
})

const rotate = updateOf(rotationParams, () => ({
  table: access_tokens,
  type: 'access_token.rotated',
  isMissing: isRevoked,
  rules: [rotation.tooManySecrets],
  newValues: secretParams,
  alsoSet: { older_hashes: rotation.olderAfter },
  record: { ...getTableColumns(access_tokens), ...storeOfToken },
}))

/** The row of the token with its store, and the new secret. */
interface Rotated extends ShownToken {
  row: AccessToken & Record<keyof typeof storeOfToken, string>
}

/** Gives the token a new secret. Throws `not_found` and `too_many_secrets`. */
export async function rotateAccessToken(
  db: Db,
  context: RequestContext,
  { key, number, overlap_hours }: Rotation,
): Promise<Rotated> {
  const { bits, hash } = newSecret()
  const row = await rotate(db, context, { number }, { hash, overlap_ms: overlap_hours * HOUR_MS })
  return { row, token: writeToken(key, row.id, bits) }
}

/**
 * Gives the token that sends the request a new secret. `context.requiresCurrentSecret` must be set: an older secret, which may
 * have leaked, must not get a new one. Throws `too_many_secrets`.
 */
export function rotateOwnToken(db: Db, context: RequestContext, own: OwnRotation): Promise<Rotated> {
  return rotateAccessToken(db, context, { ...own, number: numberOf(context.caller.id) })
}
