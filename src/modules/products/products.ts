import { and, eq, exists, getTableColumns, isNotNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { numberOf } from '../../db/ids.ts'
import { type Product, product_accesses, products } from '../../db/schema/accesses.ts'
import { columnsOf, lazySql, limitOf, orm, params, statement } from '../../db/statement.ts'
import { permittedStore } from '../../change/event.ts'
import { type RequestContext, rule, storeNumber } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import { optionalFields, recordParams, recordValues } from '../../change/record-fields.ts'
import { deletionOf, updateOf } from '../../change/update-record.ts'
import { followsCursor, listOf, type Page, pageParams, type PageRequest, readPage } from '../../change/pages.ts'

interface ProductFields {
  name: string
  slug: string
  type: string
  /** How many days a grant lasts if it has no date; null for no end. */
  expiration_days: number | null
}

const createParams = params('slug', 'name', 'type', 'expiration_days')

/** Another product of the store that has the slug already. */
const slugOwner = alias(products, 'slugOwner')

function isSlugOwner() {
  return and(eq(slugOwner.store, permittedStore), eq(slugOwner.slug, createParams.slug))
}

const create = creationOf(createParams, () => ({
  type: 'product.created',
  table: products,
  joins: [[slugOwner, isSlugOwner()]],
  rules: [rule('slug_taken', isNotNull(slugOwner.id))],
  columns: columnsOf(products, {
    ...createParams,
    ...newRecord(),
    accesses: 0,
    in_force: 0,
  }),
  record: getTableColumns(products),
}))

/** Throws `slug_taken`. */
export async function createProduct(db: Db, context: RequestContext, fields: ProductFields): Promise<Product> {
  const { slug, name, type, expiration_days } = fields
  const { row } = await create(db, context, { slug, name, type, expiration_days })
  return row
}

const fields = optionalFields(products, ['name', 'slug', 'type', 'expiration_days'])

const otherSlugOwner = lazySql(() =>
  orm
    .select({ id: slugOwner.id })
    .from(slugOwner)
    .where(and(isSlugOwner(), ne(slugOwner.id, products.id))),
)

const update = updateOf(fields.params, () => ({
  table: products,
  type: 'product.updated',
  rules: [rule('slug_taken', and(sql`${fields.params.sets_slug}`, exists(otherSlugOwner)))],
  newValues: fields.newValues(),
  record: getTableColumns(products),
}))

interface ProductUpdate {
  number: number
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws `not_found` and `slug_taken`. */
export function updateProduct(db: Db, context: RequestContext, input: ProductUpdate): Promise<Product> {
  return update(db, context, input, fields.valuesOf(input.fields))
}

const accessToProduct = lazySql(() =>
  orm.select({ id: product_accesses.id }).from(product_accesses).where(eq(product_accesses.product_id, products.id)),
)

const deleteRecord = deletionOf(recordParams, () => ({
  table: products,
  type: 'product.deleted',
  rules: [rule('in_use', exists(accessToProduct))],
  record: {},
}))

/** Throws `not_found`, and `in_use` while accesses to the product exist. */
export async function deleteProduct(db: Db, context: RequestContext, number: number): Promise<void> {
  await deleteRecord(db, context, recordValues({ number }))
}

const listAll = listOf(products, 'id', ({ isOnPage, order, limit }) =>
  orm.select().from(products).where(isOnPage).orderBy(order).limit(limit),
)

/** The products of a store, or the one with the slug. */
export function listProducts(
  db: Db,
  context: RequestContext,
  { slug, ...page }: PageRequest<number> & { slug?: string | undefined },
): Promise<Page<Product>> {
  if (slug === undefined) return listAll(db, context, page)
  const { limit, after = 0 } = page
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectBySlug({ after, count, slug }),
  })
}

const slugParams = { ...pageParams, ...params('slug') }

const selectBySlug = statement(slugParams, () =>
  orm
    .select()
    .from(products)
    .where(and(eq(products.store, storeNumber), eq(products.slug, slugParams.slug), followsCursor('asc', products.id)))
    .limit(limitOf(pageParams.count)),
)
