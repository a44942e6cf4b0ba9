import type { Db } from '../../db/batch.ts'
import { access_tokens } from '../../db/schema.ts'
import { statement } from '../../db/statement.ts'
import { commit, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { recordParams, recordValues } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import type { EventType } from '../events/event-types.ts'
import { isRevoked } from './access-tokens.ts'

/** A function that revokes a token of a store or, under the store number 0, an operator. */
export function tokenRevocation(type: EventType) {
  const revocation = updateOf(recordParams, () => ({
    table: access_tokens,
    type,
    isMissing: isRevoked,
    after: { revoked_at: contextParams.now },
  }))

  const selectRevoked = statement(recordParams, () => revocation.selectRequest(resultOf(revocation.rules())))

  return async function revokeToken(db: Db, context: RequestContext, number: number): Promise<void> {
    const values = recordValues({ number })
    await commit(db, context, {
      event: revocation.insertEvent(values),
      token: revocation.updateRecord(values),
      result: selectRevoked(values),
    })
  }
}

/** Throws the errors of the authorization, and `not_found`, also if the token has been revoked before. */
export const revokeAccessToken = tokenRevocation('access_token.revoked')
