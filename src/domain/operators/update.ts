/** Changes an operator; the event names the fields that change, without their values. */
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { orm, params, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { authorization, type RequestFields } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import {
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
  permitted,
} from '../change/event.ts'
import { optionalFields } from '../change/fields.ts'
import { changedFieldsJson, isUnchanged, recordParams, recordValues } from '../change/record.ts'
import { noneHolds, rule } from '../change/rules.ts'
import { isRevoked } from '../tokens/access-tokens.ts'
import type { Role } from '../tokens/scopes.ts'
import {
  operatorWithEmail,
  operatorEmailTaken,
  emailValues,
  givenNumbers,
  isOperatorWithEmail,
  operatorParams,
  SCOPES_OF,
  unknownStores,
} from './fields.ts'
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
export async function updateOperator(
  db: Db,
  context: RequestContext,
  { number, name, role, email, stores }: OperatorUpdate,
): Promise<OperatorRecord> {
  const values = {
    ...recordValues({ number }),
    ...fields.valuesOf({
      name,
      scopes: role && SCOPES_OF[role],
      ...(email === undefined ? {} : emailValues(email)),
    }),
    stores: stores == null ? null : JSON.stringify(stores),
    sets_stores: Number(stores !== undefined),
  }
  const result = await commit(db, context, {
    event: insertUpdatedEvent(values),
    operator: updateRecord(values),
    result: selectUpdated(values),
  })
  return requireRecord<OperatorRecord>(result)
}

const fields = optionalFields(access_tokens, ['name', 'scopes', 'email', 'email_key'])

const updateParams = { ...operatorParams, ...fields.params, ...params('sets_stores') }

/** The values after the update. */
const after = lazy(() => ({
  ...fields.after(),
  store_numbers: sql`iif(${updateParams.sets_stores}, ${givenNumbers}, ${access_tokens.store_numbers})`,
}))

/** Under the names that the API has for the fields. */
const differences = lazy(() => [
  { field: 'name', from: access_tokens.name, to: after().name },
  { field: 'role', from: access_tokens.scopes, to: after().scopes },
  { field: 'email', from: access_tokens.email, to: after().email },
  { field: 'stores', from: access_tokens.store_numbers, to: after().store_numbers },
])

/** In the order of the contract: the first rule that holds is the outcome. */
const rules = lazy(() => [
  ...attemptRules,
  ...authorization,
  unknownStores(),
  rule('not_found', or(isNull(access_tokens.id), isRevoked)),
  operatorEmailTaken(),
  rule('unchanged', isUnchanged(differences())),
])

const requestParams = { ...recordParams, ...updateParams }

/** One row: the request with the operator whom it names, and with another one who already has the email. */
function selectRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(
    selectRequestWithEarlierAttempts(fields),
    [access_tokens, eq(access_tokens.id, idIn(permitted.store, recordParams.number))],
    [operatorWithEmail, and(isOperatorWithEmail(), ne(operatorWithEmail.id, access_tokens.id))],
  )
}

const insertUpdatedEvent = statement(requestParams, () => {
  const event = newEvent({
    type: 'operator.updated',
    subject: access_tokens,
    data: changedFieldsJson(differences()),
  })
  return orm.insert(events).select(selectRequest(event).where(noneHolds(rules())))
})

const updateRecord = statement(updateParams, () =>
  orm
    .update(access_tokens)
    .set({ ...after(), event_id: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(access_tokens.id, events.subject_id))),
)

const selectUpdated = statement(requestParams, () => selectRequest({ ...resultOf(rules()), ...operatorColumns() }))
