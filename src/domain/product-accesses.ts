import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Bound, type Db, query, run, statement } from '../db/client.ts'
import { events, product_accesses, products, users } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { DAY_MS } from '../limits.ts'
import { type Cause, causeValues, eventColumns } from './events.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

export const ACCESS_STATUSES = ['with_access', 'without_access'] as const

export type AccessStatus = (typeof ACCESS_STATUSES)[number]

/** Columns of the joined tables that share a name get one of their own: D1 answers one value per name. */
function selectAccess(orm: DrizzleD1Database) {
  return orm
    .select({
      id: sql<number>`${product_accesses.id}`.as('id'),
      status: product_accesses.status,
      access_due_date: product_accesses.access_due_date,
      started_at: product_accesses.started_at,
      completed_at: product_accesses.completed_at,
      progress: product_accesses.progress,
      passed: product_accesses.passed,
      grade: product_accesses.grade,
      concept_grade: product_accesses.concept_grade,
      certificate_url: product_accesses.certificate_url,
      created_at: sql<number>`${product_accesses.created_at}`.as('created_at'),
      version: product_accesses.version,
      request_id: sql<string | null>`${product_accesses.request_id}`.as('request_id'),
      expiration_days: products.expiration_days,
      product_id: sql<number>`${products.id}`.as('product_id'),
      product_slug: sql<string>`${products.slug}`.as('product_slug'),
      product_type: sql<string>`${products.type}`.as('product_type'),
      product_name: sql<string>`${products.name}`.as('product_name'),
      user_id: sql<number>`${users.id}`.as('user_id'),
      user_name: sql<string>`${users.name}`.as('user_name'),
      user_last_name: sql<string>`${users.last_name}`.as('user_last_name'),
      user_external_id: sql<string | null>`${users.external_id}`.as('user_external_id'),
      user_email: sql<string>`${users.email}`.as('user_email'),
    })
    .from(product_accesses)
    .innerJoin(products, eq(products.id, product_accesses.product_id))
    .innerJoin(users, eq(users.id, product_accesses.user_id))
}

const findAccess = statement((orm) =>
  selectAccess(orm).where(
    and(eq(product_accesses.id, sql.placeholder('id')), eq(product_accesses.store_id, sql.placeholder('store_id'))),
  ),
)

/** An access with the product and the user that its JSON shows. */
export type ProductAccessRecord = NonNullable<ReturnType<typeof findAccess>['rows']>[number]

export interface AccessId {
  store_id: string
  /** Undefined for an id that no access can have. */
  id: number | undefined
}

/** The statement that reads one access; no row for an id of another store. */
export function findProductAccess(db: Db, { store_id, id }: AccessId): Bound<ProductAccessRecord> {
  return findAccess(db, { store_id, id: id ?? null })
}

/** Throws `not_found`. */
export async function getProductAccess(db: Db, access: AccessId): Promise<ProductAccessRecord> {
  const [[row]] = await run(db, [findProductAccess(db, access)], { retry: true })
  if (!row) throw new ApiError('not_found')
  return row
}

interface Grant {
  store_id: string
  user_id: number
  product_id: number
  status: AccessStatus
  /** Undefined: as long as the product says; null: no limit. */
  access_due_date: number | null | undefined
  cause: Cause
}

/** Throws `invalid_parameter` for a user or product that the store does not have, and `access_exists`. */
export async function grantProductAccess(db: Db, grant: Grant): Promise<ProductAccessRecord> {
  const { store_id, user_id, product_id, status, cause } = grant
  const findUser = db.orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user_id), eq(users.store_id, store_id)))
  const findProduct = db.orm
    .select({ expiration_days: products.expiration_days })
    .from(products)
    .where(and(eq(products.id, product_id), eq(products.store_id, store_id)))
  const [[user], [product]] = await run(db, [query(findUser), query(findProduct)])
  const unknown = []
  if (!user) unknown.push({ field: 'user_id', value: String(user_id), explanation: 'the store has no such user' })
  if (!product) {
    unknown.push({ field: 'product_id', value: String(product_id), explanation: 'the store has no such product' })
  }
  if (unknown.length > 0) throw new ApiError('invalid_parameter', { details: unknown })

  const days = product?.expiration_days ?? null
  const access_due_date =
    grant.access_due_date === undefined ? days && cause.now + days * DAY_MS : grant.access_due_date
  const { now, request_id } = cause
  const insert = db.orm
    .insert(product_accesses)
    .values({
      store_id,
      user_id,
      product_id,
      status,
      access_due_date,
      progress: 0,
      passed: 0,
      created_at: now,
      request_id,
    })
    .onConflictDoNothing()
    .returning({ id: product_accesses.id })
  const [[granted]] = await run(db, [query(insert), insertGranted(db, grant)])
  if (granted) return getProductAccess(db, { store_id, id: granted.id })
  throw new ApiError('access_exists', {
    details: [
      { field: 'product_id', value: String(product_id), explanation: 'the user already has an access to this product' },
    ],
  })
}

/** The event, if the access that is there is this request's. */
function insertGranted({ orm }: Db, { store_id, user_id, product_id, cause }: Grant): Bound<unknown> {
  const columns = eventColumns({
    type: 'product_access.granted',
    store_id,
    user_id,
    product_id,
    product_access_id: sql`${product_accesses.id}`,
    cause: causeValues(cause),
  })
  const event = orm.insert(events).select(
    sql`select ${columns} from ${product_accesses} where ${product_accesses.user_id} = ${user_id}
      and ${product_accesses.product_id} = ${product_id} and ${product_accesses.request_id} = ${cause.request_id}`,
  )
  return query(event)
}

interface AccessFilter extends PageRequest<number> {
  store_id: string
  user_id?: number | undefined
  product_id?: number | undefined
  status?: AccessStatus | undefined
}

export async function listProductAccesses(db: Db, filter: AccessFilter): Promise<Page<ProductAccessRecord>> {
  const { store_id, user_id, product_id, status, limit, after = 0 } = filter
  const select = selectAccess(db.orm)
    .where(
      and(
        eq(product_accesses.store_id, store_id),
        gt(product_accesses.id, after),
        user_id === undefined ? undefined : eq(product_accesses.user_id, user_id),
        product_id === undefined ? undefined : eq(product_accesses.product_id, product_id),
        status === undefined ? undefined : eq(product_accesses.status, status),
      ),
    )
    .orderBy(asc(product_accesses.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}
