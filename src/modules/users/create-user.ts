/**
 * Creates a user, with every statement written out as an example to read: src/change/create-record.ts has the form
 * that other resources share. One batch, which the database runs as one transaction:
 *   1. insert the event `user.created`, unless a rule rejects the request
 *   2. insert the user, with the id of that event
 *   3. insert the claim of the idempotency key, if one was sent
 *   4. select the outcome and the user
 * A database has one writer, so of two creates with one email or one key, the second one finds the first. If its response is
 * lost, the batch is sent again: it finds its event, creates nothing and selects the same user. Each later attempt also
 * leaves a fencing token (src/change/attempts.ts): if the first one arrives after it, it finds the token and creates
 * nothing. A client that sends its request again makes another request: with the same key it finds the claim and gets the
 * same user, for 24 hours. Without a key, or later, it ends as `email_taken`.
 */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeIn, storeRowIdIn } from '../../db/ids.ts'
import { events, stores, type User, users } from '../../db/schema.ts'
import { columnsOf, orm, params, type RowOf, statement, withJoins } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { applied, attemptRules, isEventOfThisAttempt, selectRequestWithEarlierAttempts } from '../../change/attempts.ts'
import { authorization } from '../../change/authorize.ts'
import { newEvent } from '../../change/event.ts'
import type { RequestFields } from '../../change/request.ts'
import { commit, preview, requireRecord, resultOf } from '../../change/commit.ts'
import { contextParams, type RequestContext } from '../../change/context.ts'
import { noneHolds } from '../../change/rules.ts'
import {
  claim,
  claimedFingerprint,
  claimParams,
  claimValues,
  type Created,
  type IdempotencyKey,
  insertClaim,
  isClaimOfKey,
  keyRules,
} from '../../change/idempotency-claims.ts'
import { customFieldParams, customFieldKeyValues, unknownCustomFields } from './custom-field-rules.ts'
import { emailOwner, emailParams, emailTaken, isEmailOwner } from './email-owner.ts'
import { emailKeyOf } from '../../lib/emails.ts'
import { type NewPlainFields, PLAIN_FIELDS, plainValues } from './user-fields.ts'
import { foldedParams, foldedValues } from './folded-fields.ts'

/** A user without `language` gets the language of the store. */
export type NewUser = NewPlainFields & {
  /** An object, if it is defined. */
  readonly custom_fields?: unknown
}

interface CreateUserInput {
  user: NewUser
  key: IdempotencyKey | undefined
  /** Custom fields that need not be defined in the store. */
  builtInFields: readonly string[]
  /** Hashes the password, if one was sent. */
  hashPassword: (() => Promise<string>) | undefined
}

/**
 * Throws the errors of the authorization, `idempotency_key_reused`, `unknown_custom_fields`, `email_taken`, and
 * `not_found` if the user that the key stands for has been erased.
 */
export async function createUser(db: Db, context: RequestContext, input: CreateUserInput): Promise<Created<User>> {
  const values = { ...claimValues(input.key, context), ...customFieldKeyValues(input), ...userValues(input.user) }

  if (input.hashPassword) {
    // Hashing blocks the instance, so a request that is rejected or was made before ends here.
    const earlier = await preview(db, context, selectResult(values))
    if (earlier) return toCreated(earlier)
  }
  const password_hash = (await input.hashPassword?.()) ?? null

  const result = await commit(db, context, {
    event: insertCreatedEvent(values),
    user: insertUser({ ...values, password_hash }),
    claim: input.key && insertClaim(values),
    result: selectResult(values),
  })
  return toCreated(result)
}

const userParams = { ...emailParams, ...foldedParams, ...params(...PLAIN_FIELDS, 'custom_fields') }

function userValues({ custom_fields, ...user }: NewUser) {
  const email_key = emailKeyOf(user.email)
  return {
    ...plainValues(user),
    ...foldedValues({ ...user, email_key }),
    email_key,
    // An empty object is equivalent to omitting the field.
    custom_fields:
      isObject(custom_fields) && Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : null,
  }
}

/**
 * In the order of the contract: the first rule that holds is the outcome. `attemptRules` comes first because after the
 * writes the new user has the email and the key is claimed, so that `replayed` and `email_taken` hold as well.
 */
const rules = lazy(() => [...attemptRules, ...authorization, ...keyRules, unknownCustomFields(), emailTaken()])

const requestParams = { ...claimParams, ...customFieldParams, ...userParams }

/** One row: the request with the claim of its key, and with the user who already has the email. */
function selectRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(selectRequestWithEarlierAttempts(fields), [claim, isClaimOfKey()], [emailOwner, isEmailOwner()])
}

const insertCreatedEvent = statement(requestParams, () =>
  orm.insert(events).select(selectRequest(newEvent({ type: 'user.created' })).where(noneHolds(rules()))),
)

const passwordParams = params('password_hash')

const insertUser = statement({ ...userParams, ...passwordParams }, () =>
  orm.insert(users).select(
    orm
      .select(
        columnsOf(users, {
          ...userParams,
          id: events.id,
          store: storeIn(events.id),
          role: 'student',
          language: sql`coalesce(${userParams.language}, ${stores.language})`,
          password_hash: passwordParams.password_hash,
          created_at: contextParams.now,
          updated_at: contextParams.now,
          event_id: events.id,
        }),
      )
      .from(events)
      // The row of a store has the first id of the store's range.
      .innerJoin(stores, eq(stores.id, storeRowIdIn(storeIn(events.id))))
      .where(isEventOfThisAttempt),
  ),
)

/** The user is the one whom this request has created, or the one whom an earlier request with this key created. */
const selectResult = statement(requestParams, () =>
  selectRequest({
    ...resultOf(rules()),
    claimed_fingerprint: claimedFingerprint,
    ...getTableColumns(users),
  }).leftJoin(users, eq(users.id, sql`coalesce(${applied.id}, ${claim.record_id})`)),
)

function toCreated(result: RowOf<typeof selectResult>): Created<User> {
  return {
    row: requireRecord<User>(result),
    replayedFingerprint: result.outcome === 'replayed' ? result.claimed_fingerprint : null,
  }
}
