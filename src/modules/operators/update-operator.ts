/** Changes an operator; the event names the fields that change, without their values. */
import { and, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { access_tokens } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import type { RequestContext } from '../../change/request.ts'
import { optionalFields } from '../../change/record-fields.ts'
import { updateOf } from '../../change/update-record.ts'
import { isRevoked } from '../tokens/access-tokens.ts'
import type { Role } from '../../auth/scopes.ts'
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

/** Throws the errors of the authorization, `unknown_stores`, `not_found` and `operator_email_taken`. */
export function updateOperator(
  db: Db,
  context: RequestContext,
  { number, name, role, email, stores }: OperatorUpdate,
): Promise<OperatorRecord> {
  const values = {
    ...fields.valuesOf({
      name,
      scopes: role && SCOPES_OF[role],
      ...(email === undefined ? {} : emailValues(email)),
    }),
    stores: stores == null ? null : JSON.stringify(stores),
    sets_stores: Number(stores !== undefined),
  }
  return update(db, context, { number }, values)
}

const fields = optionalFields(access_tokens, ['name', 'scopes', 'email', 'email_key'])

const updateParams = { ...operatorParams, ...fields.params, ...params('sets_stores') }

/** The event names the fields as the API does. */
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
