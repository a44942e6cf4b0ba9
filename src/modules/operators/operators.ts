/** Operators with tokens of their own: rows of `access_tokens` under the store number 0, whose scopes are a role. */
import { and, eq, getTableColumns, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { storeRowIdIn } from '../../db/ids.ts'
import { directory } from '../../db/schema/jobs.ts'
import { access_tokens, type AccessToken, stores } from '../../db/schema/stores.ts'
import { lazySql, orm, params, statement, eachNumber } from '../../db/statement.ts'
import { type Caller, contextParams, type RequestContext, ROOT } from '../../change/request.ts'
import { read } from '../../change/commit.ts'
import { DomainError } from '../../change/errors.ts'
import { listOf } from '../../change/pages.ts'
import { tokenRevocation } from '../tokens/access-tokens.ts'
import { type Role, ROLES } from '../../auth/scopes.ts'

export interface OperatorRecord extends AccessToken {
  /** A JSON list: the slugs of the stores to which the operator is limited. */
  store_slugs: string
}

const storeSlugs = lazySql<string>(() =>
  orm
    .select({ slugs: sql`json_group_array(coalesce(${stores.slug}, ${directory.slug}) order by own.key)` })
    .from(sql`${eachNumber(access_tokens.store_numbers)} own`)
    .leftJoin(stores, eq(stores.id, storeRowIdIn(sql`own.value`)))
    .leftJoin(directory, eq(directory.number, sql`own.value`))
    // The directory may have forgotten a store, until that puts its row back (src/modules/store-directory/directory.ts).
    .where(or(isNotNull(stores.id), isNotNull(directory.number))),
)

export function operatorColumns() {
  return { ...getTableColumns(access_tokens), store_slugs: storeSlugs.as('store_slugs') }
}

/** A role has the words of those whose operations it may call. */
export const SCOPES_OF = {
  viewer: 'viewer',
  office: 'viewer office',
  admin: 'viewer office admin',
} as const satisfies Record<Role, string>

export function roleOf({ scopes }: AccessToken): Role {
  return ROLES.find((role) => SCOPES_OF[role] === scopes) ?? 'viewer'
}

/** The stores to which the operator is limited; null for all. */
export function storesOf({ store_numbers, store_slugs }: OperatorRecord): string[] | null {
  return store_numbers === null ? null : JSON.parse(store_slugs)
}

/** Throws `not_found`, also if the operator has been revoked before. */
export const revokeOperator = tokenRevocation('operator.revoked')

export const listOperators = listOf(access_tokens, 'id', ({ isOnPage, order, limit }) =>
  orm.select(operatorColumns()).from(access_tokens).where(isOnPage).orderBy(order).limit(limit),
)

const selectCaller = statement({}, () =>
  orm.select(operatorColumns()).from(access_tokens).where(eq(access_tokens.id, contextParams.caller)),
)

/** The operator who sends the request; undefined for the root, who has no row. */
export async function findCallingOperator(db: Db, context: RequestContext): Promise<OperatorRecord | undefined> {
  if (context.caller.id === ROOT) return undefined
  const [row] = await read(db, context, selectCaller({}))
  if (!row) throw new DomainError('invalid_token', {})
  return row
}

const emailParams = params('email_key')

const selectByEmail = statement(emailParams, () =>
  orm
    .select({ id: access_tokens.id, hash: access_tokens.hash })
    .from(access_tokens)
    .where(and(eq(access_tokens.email_key, emailParams.email_key), isNull(access_tokens.revoked_at))),
)

/** The caller who signs in with this email (in the form in which emails are compared). Throws `invalid_token`. */
export async function getCallerByEmail(db: Db, email_key: string): Promise<Caller> {
  const { rows } = await batch(db, { rows: selectByEmail({ email_key }) }, { retry: 'only reads' })
  const [row] = rows
  if (!row) throw new DomainError('invalid_token', {})
  return row
}
