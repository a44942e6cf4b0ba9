import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, numberIn } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { events, users } from '../../db/schema/stores.ts'
import { columnsOf, params } from '../../db/statement.ts'
import { type RequestContext, rule } from '../../change/request.ts'
import { creationOf } from '../../change/create-record.ts'
import { permittedStore } from '../../change/event.ts'
import type { NamedBy } from '../../change/errors.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import { dueDateOf, newAccessColumns } from './new-access.ts'
import { accessColumns, type AccessStatus, joinsOfAccess, type ProductAccessRecord } from './access-record.ts'

interface GrantInput {
  key: IdempotencyKey | undefined
  user_id: number
  /** The product's number, or else its slug. */
  product_id?: number | undefined
  slug?: string | undefined
  status: AccessStatus
  /** Milliseconds since the epoch. Null for no end; if this is undefined, the access lasts as long as its product says. */
  access_due_date?: number | null | undefined
}

/**
 * Throws `idempotency_key_reused`, `unknown_records`, `access_exists`, and `not_found`
 * if the access that the key stands for has been deleted.
 */
export function grantProductAccess(
  db: Db,
  context: RequestContext,
  { key, ...grant }: GrantInput,
): Promise<Created<ProductAccessRecord>> {
  return create(db, context, grantValues(grant), { key })
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

const namedBy = sql<NamedBy>`iif(${grantParams.product_slug} is null, 'product_id', 'slug')`

const create = creationOf(grantParams, () => {
  const isNamedProduct = or(
    eq(namedProduct.id, idIn(permittedStore, grantParams.product_number)),
    and(eq(namedProduct.store, permittedStore), eq(namedProduct.slug, grantParams.product_slug)),
  )
  const { user_id, product_id } = events
  const { status, access_due_date, sets_due_date } = grantParams
  const due = dueDateOf({ product_id, given: access_due_date, isGiven: sets_due_date })
  return {
    type: 'product_access.granted',
    table: product_accesses,
    isKeyed: true,
    joins: [
      [namedUser, eq(namedUser.id, idIn(permittedStore, grantParams.user_number))],
      [namedProduct, isNamedProduct],
      [existing, and(eq(existing.user_id, namedUser.id), eq(existing.product_id, namedProduct.id))],
    ],
    rules: [
      rule('unknown_records', or(isNull(namedUser.id), isNull(namedProduct.id)), {
        lacks_user: isNull(namedUser.id),
        lacks_product: isNull(namedProduct.id),
        named_by: namedBy,
      }),
      rule('access_exists', isNotNull(existing.id), { existing: numberIn(existing.id), named_by: namedBy }),
    ],
    event: { user_id: namedUser.id, product_id: namedProduct.id },
    columns: columnsOf(product_accesses, newAccessColumns({ user_id, product_id, status, access_due_date: due })),
    record: accessColumns(),
    recordJoins: joinsOfAccess(),
  }
})
