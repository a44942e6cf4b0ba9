/**
 * Grants a user access to a product. One batch, which D1 runs as one transaction:
 *   1. insert the event `product_access.granted`, unless a rule ends the request
 *   2. insert the access, with the id of that event
 *   3. insert the claim of the idempotency key, if one was sent
 *   4. select the outcome and the access
 * If the response of D1 is lost, the batch is sent again: it finds its event and writes nothing (change/event.ts).
 */
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, numberIn } from '../../db/ids.ts'
import { events, product_accesses, products, users } from '../../db/schema.ts'
import { columnsOf, orm, params, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { authorization, type RequestFields } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
  permitted,
} from '../change/event.ts'
import { noneHolds, rule } from '../change/rules.ts'
import type { NamedBy } from '../errors.ts'
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
} from '../idempotency/claims.ts'
import { dueDateOf, newAccessColumns } from './new-access.ts'
import { accessColumns, type AccessStatus, type ProductAccessRecord } from './product-accesses.ts'

interface GrantInput {
  key: IdempotencyKey | undefined
  /** The number of the user. */
  user_id: number
  /** The product's number, or else its slug. */
  product_id?: number | undefined
  slug?: string | undefined
  status: AccessStatus
  /** Milliseconds since the epoch. Null for no end; if this is undefined, the access lasts as long as its product says. */
  access_due_date?: number | null | undefined
}

/**
 * Throws the errors of the authorization, `idempotency_key_reused`, `unknown_records`, `access_exists`, and `not_found`
 * if the access that the key stands for has been deleted.
 */
export async function grantProductAccess(
  db: Db,
  context: RequestContext,
  { key, ...grant }: GrantInput,
): Promise<Created<ProductAccessRecord>> {
  const values = { ...claimValues(key, context), ...grantValues(grant) }
  const result = await commit(db, context, {
    event: insertGrantedEvent(values),
    access: insertAccess(values),
    claim: key && insertClaim(values),
    result: selectResult(values),
  })
  return {
    row: requireRecord<ProductAccessRecord>(result),
    replayedFingerprint: result.outcome === 'replayed' ? result.claimed_fingerprint : null,
  }
}

const grantParams = params(
  'user_number',
  'product_number',
  'product_slug',
  'status',
  'access_due_date',
  'sets_due_date',
)

function grantValues({ user_id, product_id, slug, status, access_due_date }: Omit<GrantInput, 'key'>) {
  return {
    user_number: user_id,
    product_number: product_id ?? null,
    product_slug: slug ?? null,
    status,
    access_due_date: access_due_date ?? null,
    sets_due_date: access_due_date === undefined ? 0 : 1,
  }
}

/** What the request names, and an access of the user to the product. */
const namedUser = alias(users, 'namedUser')
const namedProduct = alias(products, 'namedProduct')
const existing = alias(product_accesses, 'existing')

/** In the order of the contract: the first rule that holds is the outcome. */
const rules = lazy(() => {
  const named_by = sql<NamedBy>`iif(${grantParams.product_slug} is null, 'product_id', 'slug')`
  return [
    ...attemptRules,
    ...authorization,
    ...keyRules,
    rule('unknown_records', or(isNull(namedUser.id), isNull(namedProduct.id)), {
      lacks_user: isNull(namedUser.id),
      lacks_product: isNull(namedProduct.id),
      named_by,
    }),
    rule('access_exists', isNotNull(existing.id), { existing: numberIn(existing.id), named_by }),
  ]
})

const requestParams = { ...claimParams, ...grantParams }

/** One row: the request with the claim of its key, the user, the product, and the access that exists already. */
function selectRequest<Fields extends RequestFields>(fields: Fields) {
  const isNamedProduct = or(
    eq(namedProduct.id, idIn(permitted.store, grantParams.product_number)),
    and(eq(namedProduct.store, permitted.store), eq(namedProduct.slug, grantParams.product_slug)),
  )
  return withJoins(
    selectRequestWithEarlierAttempts(fields),
    [claim, isClaimOfKey()],
    [namedUser, eq(namedUser.id, idIn(permitted.store, grantParams.user_number))],
    [namedProduct, isNamedProduct],
    [existing, and(eq(existing.user_id, namedUser.id), eq(existing.product_id, namedProduct.id))],
  )
}

const insertGrantedEvent = statement(requestParams, () => {
  const event = newEvent({ type: 'product_access.granted', user_id: namedUser.id, product_id: namedProduct.id })
  return orm.insert(events).select(selectRequest(event).where(noneHolds(rules())))
})

const insertAccess = statement(grantParams, () => {
  const { user_id, product_id } = events
  const { status, access_due_date, sets_due_date } = grantParams
  const due = dueDateOf({ product_id, given: access_due_date, isGiven: sets_due_date })
  const columns = newAccessColumns({ user_id, product_id, status, access_due_date: due })
  return orm
    .insert(product_accesses)
    .select(orm.select(columnsOf(product_accesses, columns)).from(events).where(isEventOfThisAttempt))
})

/** The access is the one that this request has granted, or the one that an earlier request with this key granted. */
const selectResult = statement(requestParams, () =>
  selectRequest({ ...resultOf(rules()), claimed_fingerprint: claimedFingerprint, ...accessColumns() })
    .leftJoin(product_accesses, eq(product_accesses.id, sql`coalesce(${applied.id}, ${claim.record_id})`))
    .leftJoin(products, eq(products.id, product_accesses.product_id))
    .leftJoin(users, eq(users.id, product_accesses.user_id)),
)
