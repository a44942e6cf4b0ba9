import { eq } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { columnsOf, orm, params, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { authorization, type RequestFields } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
} from '../change/event.ts'
import { noneHolds } from '../change/rules.ts'
import type { Role } from '../tokens/scopes.ts'
import { newSecret, writeToken } from '../tokens/token-format.ts'
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
  const result = await commit(db, context, {
    event: insertCreatedEvent(values),
    token: insertOperator({ ...values, name, hash, scopes: SCOPES_OF[role] }),
    result: selectCreated(values),
  })
  const row = requireRecord<OperatorRecord>(result)
  return { row, token: writeToken(key, row.id, bits) }
}

const rules = lazy(() => [...attemptRules, ...authorization, unknownStores(), operatorEmailTaken()])

/** One row: the request with the operator who has the email already. */
function selectRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(selectRequestWithEarlierAttempts(fields), [operatorWithEmail, isOperatorWithEmail()])
}

const insertCreatedEvent = statement(operatorParams, () =>
  orm.insert(events).select(selectRequest(newEvent({ type: 'operator.created' })).where(noneHolds(rules()))),
)

const insertParams = { ...operatorParams, ...params('name', 'hash', 'scopes') }

const insertOperator = statement(insertParams, () =>
  orm.insert(access_tokens).select(
    orm
      .select(
        columnsOf(access_tokens, {
          ...insertParams,
          id: events.id,
          older_hashes: null,
          store_numbers: givenNumbers,
          created_at: contextParams.now,
          expires_at: null,
          revoked_at: null,
          last_used_at: null,
          event_id: events.id,
        }),
      )
      .from(events)
      .where(isEventOfThisAttempt),
  ),
)

const selectCreated = statement(operatorParams, () =>
  selectRequest({ ...resultOf(rules()), ...operatorColumns() }).leftJoin(
    access_tokens,
    eq(access_tokens.id, applied.id),
  ),
)
