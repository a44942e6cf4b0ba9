/** Creates and changes operators. No other operator has the email, and the stores to which one is limited must exist. */
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { storeIn } from '../../db/ids.ts'
import { directory } from '../../db/schema/jobs.ts'
import { access_tokens, stores } from '../../db/schema/stores.ts'
import { columnsOf, lazySql, orm, params } from '../../db/statement.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import { optionalFields } from '../../change/record-fields.ts'
import { type RequestContext, rule } from '../../change/request.ts'
import { updateOf } from '../../change/update-record.ts'
import { newSecret, writeToken } from '../../auth/token-format.ts'
import type { Role } from '../../auth/scopes.ts'
import { emailKeyOf } from '../../lib/emails.ts'
import { isComplete } from '../store-directory/directory.ts'
import { isRevoked } from '../tokens/access-tokens.ts'
import { operatorColumns, type OperatorRecord, SCOPES_OF } from './operators.ts'

/** `stores` is a JSON list of slugs, or null. */
const operatorParams = params('email', 'email_key', 'stores')

function emailValues(email: string | null) {
  return { email, email_key: email === null ? null : emailKeyOf(email) }
}

/** The operator who has the email already, to be joined to the request. A revoked one has given it up. */
const operatorWithEmail = alias(access_tokens, 'operatorWithEmail')

function isOperatorWithEmail() {
  return and(eq(operatorWithEmail.email_key, operatorParams.email_key), isNull(operatorWithEmail.revoked_at))
}

function operatorEmailTaken() {
  return rule('operator_email_taken', isNotNull(operatorWithEmail.id))
}

/** The columns of a query over the slugs of the request. */
const given = { position: sql<number>`given.key`, slug: sql<string>`given.value` }

const givenSlugs = sql`json_each(${operatorParams.stores}) given`

/** The number of the store with the slug, which may have a database of its own; null if there is no such store. */
const givenNumber = lazySql<number | null>(() => {
  const shared = orm
    .select({ number: storeIn(stores.id) })
    .from(stores)
    .where(eq(stores.slug, given.slug))
  const own = orm
    .select({ number: directory.number })
    .from(directory)
    .where(and(eq(directory.slug, given.slug), isComplete))
  return sql`coalesce(${shared}, ${own})`
})

/** The numbers of the stores that the request names, in its order; null if it names none. */
const givenNumbers = lazySql<string | null>(() =>
  orm.select({ numbers: sql`group_concat(${givenNumber}, ' ' order by ${given.position})` }).from(givenSlugs),
)

/** The positions of the slugs that no store has, as a JSON list. */
const unknownPositions = lazySql<string>(() =>
  orm
    .select({ positions: sql`json_group_array(${given.position})` })
    .from(givenSlugs)
    .where(isNull(givenNumber)),
)

function unknownStores() {
  return rule('unknown_stores', ne(unknownPositions, '[]'), { positions: sql`json(${unknownPositions})` })
}

interface NewOperator {
  /** TOKEN_KEY. */
  key: string
  name: string
  role: Role
  email: string | undefined
  /** The slugs of the stores to which the operator is limited; undefined for all. */
  stores: string[] | undefined
}

interface CreatedOperator {
  row: OperatorRecord
  /** It is never shown again. */
  token: string
}

/** Throws `unknown_stores` and `operator_email_taken`. */
export async function createOperator(
  db: Db,
  context: RequestContext,
  { key, name, role, email, stores: slugs }: NewOperator,
): Promise<CreatedOperator> {
  const { bits, hash } = newSecret()
  const values = { ...emailValues(email ?? null), stores: slugs === undefined ? null : JSON.stringify(slugs) }
  const { row } = await create(db, context, { ...values, name, hash, scopes: SCOPES_OF[role] })
  return { row, token: writeToken(key, row.id, bits) }
}

const createParams = { ...operatorParams, ...params('name', 'hash', 'scopes') }

const create = creationOf(createParams, () => ({
  type: 'operator.created',
  table: access_tokens,
  joins: [[operatorWithEmail, isOperatorWithEmail()]],
  rules: [unknownStores(), operatorEmailTaken()],
  columns: columnsOf(access_tokens, {
    ...createParams,
    ...newRecord(),
    older_hashes: null,
    store_numbers: givenNumbers,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  }),
  record: operatorColumns(),
}))

/** A field that is undefined keeps its value. */
interface OperatorUpdate {
  number: number
  name: string | undefined
  role: Role | undefined
  /** Null removes the email. */
  email: string | null | undefined
  /** The slugs of the stores to which the operator is limited; null for all. */
  stores: string[] | null | undefined
}

/** Throws `unknown_stores`, `not_found` and `operator_email_taken`. */
export function updateOperator(
  db: Db,
  context: RequestContext,
  { number, name, role, email, stores: slugs }: OperatorUpdate,
): Promise<OperatorRecord> {
  const values = {
    ...fields.valuesOf({
      name,
      scopes: role && SCOPES_OF[role],
      ...(email === undefined ? {} : emailValues(email)),
    }),
    stores: slugs == null ? null : JSON.stringify(slugs),
    sets_stores: Number(slugs !== undefined),
  }
  return update(db, context, { number }, values)
}

const fields = optionalFields(access_tokens, ['name', 'scopes', 'email', 'email_key'])

const updateParams = { ...operatorParams, ...fields.params, ...params('sets_stores') }

/** The event names the fields that change as the API does, without their values. */
const update = updateOf(updateParams, () => {
  const newValues = {
    ...fields.newValues(),
    store_numbers: sql`iif(${updateParams.sets_stores}, ${givenNumbers}, ${access_tokens.store_numbers})`,
  }
  return {
    table: access_tokens,
    type: 'operator.updated',
    isMissing: isRevoked,
    // Another operator who has the email.
    joins: [[operatorWithEmail, and(isOperatorWithEmail(), ne(operatorWithEmail.id, access_tokens.id))]],
    valueRules: [unknownStores()],
    rules: [operatorEmailTaken()],
    newValues,
    differences: [
      { field: 'name', from: access_tokens.name, to: newValues.name },
      { field: 'role', from: access_tokens.scopes, to: newValues.scopes },
      { field: 'email', from: access_tokens.email, to: newValues.email },
      { field: 'stores', from: access_tokens.store_numbers, to: newValues.store_numbers },
    ],
    record: operatorColumns(),
  }
})
