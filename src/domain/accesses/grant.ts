import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import {
  beside,
  type Columns,
  insertFrom,
  type Nullable,
  type Params,
  type RowOf,
  statement,
} from '../../db/statement.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { product_accesses, products, users } from '../../db/schema.ts'
import { DAY_MS } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import {
  type Claim,
  claimedFingerprint,
  claimedRecord,
  claimValues,
  type ClaimValues,
  claimVerdict,
  type Created,
  insertClaim,
} from '../idempotency/claims.ts'
import { decide, eventId, fromOwnEvent, insertEvent, ownEvent, settleAndWake, tellMore } from '../change/event.ts'
import { noticeOf } from './expiry.ts'
import { type FactOf, foundBeside, Refusal, refusal } from '../errors.ts'
import { noteLastUse } from '../change/last-use.ts'
import { type AccessStatus, type ProductAccessRecord, selectProductAccesses } from './product-accesses.ts'

interface Grant {
  call: Call
  claim: Claim | undefined
  /** The numbers of the user and of the product. */
  user_id: number
  product_id: number
  status: AccessStatus
  /** Milliseconds since the epoch. Undefined: as long as the product says; null: no limit. */
  access_due_date: number | null | undefined
}

/**
 * Throws `idempotency_key_reused`, `unknown_records`, `access_exists`, and `not_found` where the access that the key
 * or a lost answer stands for has been erased since.
 */
export async function grantProductAccess(db: Db, grant: Grant): Promise<Created<ProductAccessRecord>> {
  const { call, claim, user_id, product_id, status, access_due_date } = grant
  const values = {
    ...callValues(call),
    ...claimValues(claim, call),
    user: user_id,
    product: product_id,
    status,
    access_due_date: access_due_date ?? null,
    as_product_says: access_due_date === undefined ? 1 : 0,
  }
  const { told } = await batch(
    db,
    {
      event: insertGranted(values),
      access: insertAccess(values),
      claim: claim && insertClaim(values),
      told: beside(tellGrant(values), selectGranted(values)),
      lastUse: noteLastUse(call),
    },
    { retry: 'it finds its own event' },
  )
  return answerOrRefuse(db, told)
}

type Values = CallValues &
  ClaimValues & {
    user: number
    product: number
    status: string
    access_due_date: number | null
    as_product_says: number
  }

const userId = (p: Params<Values>): SQL => idIn(p.store, p.user)
const productId = (p: Params<Values>): SQL => idIn(p.store, p.product)

function lacks(table: typeof users | typeof products, id: SQL): SQL<number> {
  return sql`not exists (select 1 from ${table} where id = ${id})`
}

function existingAccess(p: Params<Values>): SQL {
  return sql`(select id from ${product_accesses} where user_id = ${userId(p)} and product_id = ${productId(p)})`
}

/** What speaks against the grant, in the order of docs/errors.md. */
function decideGrant(p: Params<Values>) {
  return decide<'replayed' | 'unknown_records' | 'access_exists'>(
    p,
    claimVerdict(p),
    sql`iif(${lacks(users, userId(p))} or ${lacks(products, productId(p))}, 'unknown_records', null)`,
    sql`iif(exists ${existingAccess(p)}, 'access_exists', null)`,
  )
}

const tellGrant = statement((p: Params<Values>, orm) =>
  tellMore(orm, p, decideGrant(p), {
    replayed_fingerprint: claimedFingerprint(p).as('replayed_fingerprint'),
    lacks_user: lacks(users, userId(p)).as('lacks_user'),
    lacks_product: lacks(products, productId(p)).as('lacks_product'),
  }),
)

const insertGranted = statement((p: Params<Values>, orm) =>
  insertEvent(orm, p, {
    type: 'product_access.granted',
    decision: decideGrant(p),
    user_id: userId(p),
    product_id: productId(p),
  }),
)

const insertAccess = statement((p: Params<Values>, orm) => {
  const due = dueOf(p, { product_id: productId(p), given: p.access_due_date, isGiven: sql`not ${p.as_product_says}` })
  const granted = { user_id: userId(p), product_id: productId(p), status: sql`${p.status}`, access_due_date: due }
  return insertFrom(orm, product_accesses, newAccess(p, granted), fromOwnEvent(p, product_accesses))
})

interface GivenDue {
  product_id: SQL
  given: SQL | Placeholder
  isGiven: SQL
}

/** Until when a new access is valid: as it was said, else as long as its product says. */
export function dueOf(p: Params<CallValues>, { product_id, given, isGiven }: GivenDue): SQL {
  return sql`iif(${isGiven}, ${given},
    ${p.now} + (select expiration_days from ${products} where id = ${product_id}) * ${DAY_MS})`
}

/** The columns of an access that its event (`eventId`) makes. */
export function newAccess(
  p: Params<CallValues>,
  granted: Record<'user_id' | 'product_id' | 'status' | 'access_due_date', SQL>,
): Columns<typeof product_accesses> {
  return {
    ...granted,
    id: eventId,
    store: p.store,
    started_at: null,
    completed_at: null,
    progress: 0,
    passed: 0,
    grade: null,
    concept_grade: null,
    certificate_url: null,
    created_at: p.now,
    notified_at: noticeOf(granted.access_due_date, p.now),
    expired_at: null,
    event_id: eventId,
    changed_by: eventId,
  }
}

interface Lacking {
  lacksUser: boolean
  lacksProduct: boolean
}

export function unknownRecords({ lacksUser, lacksProduct }: Lacking): FactOf<'unknown_records'> {
  const kinds: FactOf<'unknown_records'>['kinds'] = []
  if (lacksUser) kinds.push('user')
  if (lacksProduct) kinds.push('product')
  return { code: 'unknown_records', kinds }
}

/** The access that this request has made, else the one of the claimed key, else the one that is there. */
const selectGranted = statement((p: Params<Values>, orm) =>
  selectProductAccesses(orm).where(
    sql`${product_accesses.id} = coalesce(${ownEvent(p)}, ${claimedRecord(p)}, ${existingAccess(p)})`,
  ),
)

function answerOrRefuse(
  db: Db,
  told: (RowOf<typeof tellGrant> & Nullable<ProductAccessRecord>)[],
): Created<ProductAccessRecord> {
  const verdict = settleAndWake(db, told)
  const [decided] = told
  if (verdict === 'unknown_records') {
    throw new Refusal(
      unknownRecords({ lacksUser: decided?.lacks_user === 1, lacksProduct: decided?.lacks_product === 1 }),
    )
  }
  if (verdict !== null && verdict !== 'replayed' && verdict !== 'access_exists') throw refusal(verdict)
  const row = foundBeside<ProductAccessRecord>(told)
  if (verdict === 'access_exists') throw new Refusal({ code: verdict, existing: numberOf(row.id) })
  return { row, replayedFingerprint: verdict === 'replayed' ? (decided?.replayed_fingerprint ?? null) : null }
}
