import { type Column, eq, lt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Join, named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { users } from '../../db/schema/stores.ts'
import { OPEN_STATUS } from '../../db/schema/access-status.ts'
import { type RequestContext, storeNumber } from '../../change/request.ts'
import { readOne } from '../../change/commit.ts'

export { ACCESS_STATUSES, type AccessStatus, OPEN_STATUS } from '../../db/schema/access-status.ts'

/** Only with exactly this comparison does a query use the indexes of open accesses. */
export function isOpen(status: SQLWrapper): SQL {
  return sql`${status} = ${OPEN_STATUS}`
}

export function isNotOpen(status: SQLWrapper): SQL {
  return sql`${status} <> ${OPEN_STATUS}`
}

/** True for an access that is open and has not ended at this time. */
export function isInForce(
  { status, access_due_date }: Record<'status' | 'access_due_date', Column>,
  at: SQLWrapper,
): SQL {
  return sql`(${isOpen(status)} and (${lt(access_due_date, at)}) is not true)`
}

const numberParams = params('number')

/** Columns that share a name with another table's are renamed: D1 returns one value per column name. */
export function accessColumns() {
  return named({
    id: sql<number>`${product_accesses.id}`,
    status: product_accesses.status,
    access_due_date: product_accesses.access_due_date,
    started_at: product_accesses.started_at,
    completed_at: product_accesses.completed_at,
    progress: product_accesses.progress,
    passed: product_accesses.passed,
    grade: product_accesses.grade,
    concept_grade: product_accesses.concept_grade,
    certificate_url: product_accesses.certificate_url,
    created_at: sql<number>`${product_accesses.created_at}`,
    changed_by: product_accesses.changed_by,
    expiration_days: products.expiration_days,
    product_id: sql<number>`${products.id}`,
    product_slug: sql<string>`${products.slug}`,
    product_type: sql<string>`${products.type}`,
    product_name: sql<string>`${products.name}`,
    user_id: sql<number>`${users.id}`,
    user_name: sql<string>`${users.name}`,
    user_last_name: sql<string>`${users.last_name}`,
    user_external_id: sql<string | null>`${users.external_id}`,
    user_email: sql<string>`${users.email}`,
  })
}

/** The product and the user that `accessColumns` shows, to be joined to the access. */
export function joinsOfAccess(): Join[] {
  return [
    [products, eq(products.id, product_accesses.product_id)],
    [users, eq(users.id, product_accesses.user_id)],
  ]
}

/** Selects accesses with the product and the user that their JSON shows. */
function selectProductAccesses() {
  return orm
    .select(accessColumns())
    .from(product_accesses)
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
}

const selectProductAccess = statement(numberParams, () =>
  selectProductAccesses().where(eq(product_accesses.id, idIn(storeNumber, numberParams.number))),
)

export type ProductAccessRecord = RowOf<typeof selectProductAccess>

/** Throws `not_found`. */
export function getProductAccess(db: Db, context: RequestContext, number: number): Promise<ProductAccessRecord> {
  return readOne(db, context, selectProductAccess({ number }))
}
