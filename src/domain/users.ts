import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { type Db, query, run, statement } from '../db/client.ts'
import { events, idempotency_keys, type User, users } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { isObject } from '../json.ts'
import { noteUse } from './access-tokens.ts'
import { emailKey } from './emails.ts'
import { type Cause, causeValues, eventColumns } from './events.ts'
import { type Claim, claimKey, isSameMac, oldestClaim } from './idempotency-keys.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

export interface NewUser {
  name: string
  last_name: string
  email: string
  language: string
  phone?: string | undefined
  country?: string | undefined
  external_id?: string | undefined
  avatar?: string | undefined
  /** An object, if anything. */
  custom_fields?: unknown
}

export interface CreateUserInput {
  store_id: string
  cause: Cause
  user: NewUser
  /** A PHC string, or null without a password. */
  password_hash: string | null
  claim: Claim | undefined
}

const live = sql`${idempotency_keys.token_id} = ${sql.placeholder('token_id')}
  and ${idempotency_keys.operation} = ${sql.placeholder('operation')}
  and ${idempotency_keys.key} = ${sql.placeholder('key')}
  and ${idempotency_keys.created_at} > ${sql.placeholder('oldest_claim')}`

/** The id of the next user: within the batch, the same for its event and for itself. */
const nextId = sql`(select coalesce(max(u.id), 0) + 1 from ${users} u)`

/** Written if, and only if, the user will be. */
const insertCreated = statement((orm) =>
  orm.insert(events).select(
    sql`select ${eventColumns({ type: 'user.created', store_id: sql.placeholder('store_id'), user_id: nextId })}
        where not exists (select 1 from ${idempotency_keys} where ${live})
        and not exists (select 1 from ${users} where ${users.store_id} = ${sql.placeholder('store_id')}
        and ${users.email_key} = ${sql.placeholder('email_key')})`,
  ),
)

/** Inserts nothing while the key is claimed or the e-mail taken. Columns in the order of the table. */
const insertUser = statement((orm) =>
  orm
    .insert(users)
    .select(
      sql`select ${nextId}, ${sql.placeholder('store_id')}, ${sql.placeholder('request_id')}, ${sql.placeholder('email_key')},
        ${sql.placeholder('email')}, ${sql.placeholder('name')}, ${sql.placeholder('last_name')}, 'student',
        ${sql.placeholder('language')}, ${sql.placeholder('phone')}, ${sql.placeholder('country')},
        ${sql.placeholder('external_id')}, ${sql.placeholder('avatar')}, ${sql.placeholder('custom_fields')},
        ${sql.placeholder('password_hash')}, ${sql.placeholder('now')}, ${sql.placeholder('now')}
        where not exists (select 1 from ${idempotency_keys} where ${live})`,
    )
    .onConflictDoNothing({ target: [users.store_id, users.email_key] }),
)

/** The user of the claimed key, then with its fingerprint; else the one who has the e-mail. */
const findByClaimOrEmail = statement((orm) =>
  orm
    .select({ ...getTableColumns(users), fingerprint: idempotency_keys.fingerprint })
    .from(users)
    .leftJoin(idempotency_keys, and(eq(idempotency_keys.user_id, users.id), live))
    .where(
      eq(
        users.id,
        sql`coalesce((select ${idempotency_keys.user_id} from ${idempotency_keys} where ${live}),
          (select u.id from ${users} u where u.store_id = ${sql.placeholder('store_id')}
          and u.email_key = ${sql.placeholder('email_key')}))`,
      ),
    ),
)

/**
 * Creates the user, or finds the one that this key has created: one batch, in which the unique index and the claim
 * decide. Safe to send again: a row with this request's id is this request's success.
 * Throws `idempotency_key_reused` and `email_taken`.
 */
export async function createUser(db: Db, input: CreateUserInput): Promise<{ user: User; isReplay: boolean }> {
  const { user, claim, cause } = input
  const values = {
    ...(claim ?? NO_CLAIM),
    ...causeValues(cause),
    store_id: input.store_id,
    email_key: emailKeyOf(user.email),
    email: user.email,
    name: user.name,
    last_name: user.last_name,
    language: user.language,
    phone: user.phone ?? null,
    country: user.country ?? null,
    external_id: user.external_id ?? null,
    avatar: user.avatar ?? null,
    custom_fields: jsonOrNull(user.custom_fields),
    password_hash: input.password_hash,
    oldest_claim: oldestClaim(cause.now),
  }
  const writes = [
    insertCreated(db, values),
    insertUser(db, values),
    ...(claim ? [claimKey(db, values)] : []),
    ...noteUse(db, cause),
  ]
  const [[row]] = await run(db, [findByClaimOrEmail(db, values)], { writes, retry: true })
  if (!row) throw new Error('the batch that creates a user found none')

  if (row.request_id === cause.request_id) return { user: row, isReplay: false }
  if (claim && row.fingerprint !== null) {
    if (isSameMac(row.fingerprint, claim.fingerprint)) return { user: row, isReplay: true }
    throw new ApiError('idempotency_key_reused', {
      details: [
        { field: 'X-Idempotency-Key', value: claim.key, explanation: 'this key was used with another request' },
      ],
    })
  }
  throw new ApiError('email_taken', {
    details: [{ field: 'email', value: user.email, explanation: 'an account with this e-mail exists in the store' }],
    headers: { 'X-Existing-Id': String(row.id) },
  })
}

/** Without a key no claim is found: nothing equals null in SQL. */
const NO_CLAIM = { operation: null, key: null, fingerprint: null }

function emailKeyOf(email: string): string {
  const key = emailKey(email)
  if (key === undefined) throw new Error('an e-mail that was not validated')
  return key
}

/** An empty object is as good as none. */
function jsonOrNull(fields: unknown): string | null {
  return isObject(fields) && Object.keys(fields).length > 0 ? JSON.stringify(fields) : null
}

/** Throws `not_found`. */
export async function getUser(db: Db, { store_id, id }: { store_id: string; id: number | undefined }): Promise<User> {
  if (id === undefined) throw new ApiError('not_found')
  const select = db.orm
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.store_id, store_id)))
  const [[row]] = await run(db, [query(select)])
  if (!row) throw new ApiError('not_found')
  return row
}

interface UserFilter extends PageRequest<number> {
  store_id: string
  email?: string | undefined
  external_id?: string | undefined
}

export async function listUsers(db: Db, filter: UserFilter): Promise<Page<User>> {
  const { store_id, email, external_id, limit, after = 0 } = filter
  const select = db.orm
    .select()
    .from(users)
    .where(
      and(
        eq(users.store_id, store_id),
        gt(users.id, after),
        email === undefined ? undefined : eq(users.email_key, emailKeyOf(email)),
        external_id === undefined ? undefined : eq(users.external_id, external_id),
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}
