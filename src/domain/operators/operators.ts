/** Operators with tokens of their own: rows of `access_tokens` under the store number 0, whose scopes are a role. */
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { access_tokens, type AccessToken } from '../../db/schema.ts'
import { type ShownToken, tokenCreation } from '../tokens/access-tokens.ts'
import { type Call, type CallValues, callValues, ROOT } from '../change/context.ts'
import { refusal } from '../errors.ts'
import { read } from '../change/read.ts'
import { tokenRevocation } from '../tokens/revoke.ts'
import type { Role } from '../tokens/scopes.ts'

const create = tokenCreation('operator.created')

interface NewOperator {
  call: Call
  /** TOKEN_KEY. */
  key: string
  name: string
  role: Role
}

/** An admin may what a viewer may, too. */
const SCOPES_OF = { viewer: 'viewer', admin: 'viewer admin' } as const satisfies Record<Role, string>

export function createOperator(db: Db, { role, ...operator }: NewOperator): Promise<ShownToken> {
  return create(db, { ...operator, scopes: SCOPES_OF[role], expires_at: null })
}

export function roleOf({ scopes }: AccessToken): Role {
  return scopes === SCOPES_OF.admin ? 'admin' : 'viewer'
}

/** Throws `not_found`, the second time too. */
export const revokeOperator = tokenRevocation('operator.revoked')

const selectCaller = statement((p: Params<CallValues>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(sql`id = ${p.caller}`),
)

/** The operator who asks; undefined for the root, who has no row. */
export async function findCallingOperator(db: Db, call: Call): Promise<AccessToken | undefined> {
  if (call.caller.id === ROOT) return undefined
  const [row] = await read(db, call, selectCaller(callValues(call)))
  if (!row) throw refusal('invalid_token')
  return row
}
