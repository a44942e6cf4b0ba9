/** Operators with tokens of their own: rows of `access_tokens` under the store number 0, whose scopes are a role. */
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { access_tokens, type AccessToken } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { contextParams, type RequestContext, ROOT } from '../change/context.ts'
import { read } from '../change/read.ts'
import { DomainError } from '../errors.ts'
import { type ShownToken, tokenCreation } from '../tokens/access-tokens.ts'
import { tokenRevocation } from '../tokens/revoke.ts'
import type { Role } from '../tokens/scopes.ts'

const createToken = tokenCreation('operator.created')

interface NewOperator {
  /** TOKEN_KEY. */
  key: string
  name: string
  role: Role
}

/** An admin may also do what a viewer may. */
const SCOPES_OF = { viewer: 'viewer', admin: 'viewer admin' } as const satisfies Record<Role, string>

/** Throws the errors of the authorization. */
export function createOperator(db: Db, context: RequestContext, { key, name, role }: NewOperator): Promise<ShownToken> {
  return createToken(db, context, { key, name, scopes: SCOPES_OF[role], expires_at: null })
}

export function roleOf({ scopes }: AccessToken): Role {
  return scopes === SCOPES_OF.admin ? 'admin' : 'viewer'
}

/** Throws the errors of the authorization, and `not_found`, also if the operator has been revoked before. */
export const revokeOperator = tokenRevocation('operator.revoked')

const selectCaller = statement({}, () =>
  orm.select().from(access_tokens).where(eq(access_tokens.id, contextParams.caller)),
)

/** The operator who sends the request; undefined for the root, who has no row. Throws the errors of the authorization. */
export async function findCallingOperator(db: Db, context: RequestContext): Promise<AccessToken | undefined> {
  if (context.caller.id === ROOT) return undefined
  const [row] = await read(db, context, selectCaller({}))
  if (!row) throw new DomainError('invalid_token', {})
  return row
}
