import type { Db } from '../../db/batch.ts'
import { access_tokens } from '../../db/schema.ts'
import { contextParams, type RequestContext } from '../../change/request.ts'
import { updateOf } from '../../change/update-record.ts'
import type { EventType } from '../../change/event-types.ts'
import { isRevoked } from './access-tokens.ts'

/** A function that revokes a token of a store or, under the store number 0, an operator. */
export function tokenRevocation(type: EventType) {
  const revoke = updateOf({}, () => ({
    table: access_tokens,
    type,
    isMissing: isRevoked,
    newValues: { revoked_at: contextParams.now },
    record: { id: access_tokens.id },
  }))

  return async function revokeToken(db: Db, context: RequestContext, number: number): Promise<void> {
    await revoke(db, context, { number }, {})
  }
}

/** Throws the errors of the authorization, and `not_found`, also if the token has been revoked before. */
export const revokeAccessToken = tokenRevocation('access_token.revoked')
