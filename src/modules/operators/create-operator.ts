import type { Db } from '../../db/batch.ts'
import { access_tokens } from '../../db/schema.ts'
import { columnsOf, params } from '../../db/statement.ts'
import type { RequestContext } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import type { Role } from '../../auth/scopes.ts'
import { newSecret, writeToken } from '../../auth/token-format.ts'
import {
  operatorWithEmail,
  operatorEmailTaken,
  emailValues,
  givenNumbers,
  isOperatorWithEmail,
  operatorParams,
  SCOPES_OF,
  unknownStores,
} from './operator-fields.ts'
import { operatorColumns, type OperatorRecord } from './operators.ts'

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

/** Throws the errors of the authorization, `unknown_stores` and `operator_email_taken`. */
export async function createOperator(
  db: Db,
  context: RequestContext,
  { key, name, role, email, stores }: NewOperator,
): Promise<CreatedOperator> {
  const { bits, hash } = newSecret()
  const values = { ...emailValues(email ?? null), stores: stores === undefined ? null : JSON.stringify(stores) }
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
