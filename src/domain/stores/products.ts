import { asc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { type Product, product_accesses, products } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { creationOf, deletionOf, sendCreation, sendDeletion } from '../change/creations.ts'
import { eventId, ownEvent } from '../change/event.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'

interface ProductFields {
  name: string
  slug: string
  type: string
  /** How long a grant lasts unless it says otherwise; null: without end. */
  expiration_days: number | null
}

function hasSlug(p: Params<CallValues & { slug: string | null }>): SQL {
  return sql`store = ${p.store} and slug = ${p.slug}`
}

const creationSteps = creationOf<ProductFields, typeof products>({
  table: products,
  type: 'product.created',
  refusedWith: (p) => sql`iif(exists (select 1 from ${products} where ${hasSlug(p)}), 'slug_taken', null)`,
  columns: (p) => ({
    id: eventId,
    store: p.store,
    slug: p.slug,
    name: p.name,
    type: p.type,
    expiration_days: p.expiration_days,
    created_at: p.now,
    event_id: eventId,
  }),
})

const selectOwn = statement((p: Params<CallValues>, orm) =>
  orm
    .select()
    .from(products)
    .where(sql`id = ${ownEvent(p)}`),
)

/** Throws `slug_taken`, and as `foundRow`. */
export function createProduct(db: Db, { call, ...fields }: ProductFields & { call: Call }): Promise<Product> {
  const values = { ...callValues(call), ...fields }
  return sendCreation(db, creationSteps(values), selectOwn(values))
}

const FIELDS = ['name', 'slug', 'type', 'expiration_days'] as const

const updateSteps = changeOf({
  table: products,
  type: 'product.updated',
  fields: FIELDS,
  refusedWith: (p) => sql`iif(${p.sets_slug} and exists (select 1 from ${products} other
    where other.store = ${p.store} and other.slug = ${p.slug} and other.id <> ${products.id}), 'slug_taken', null)`,
  eventShows: 'changes',
})

const selectProduct = statement((p: Params<CallValues & { number: number }>, orm) =>
  orm
    .select()
    .from(products)
    .where(sql`id = ${idIn(p.store, p.number)}`),
)

interface ProductUpdate {
  call: Call
  number: number
  /** What is undefined keeps its value. */
  fields: { [Field in (typeof FIELDS)[number]]?: string | number | null | undefined }
}

/** Throws `not_found` and `slug_taken`. */
export function updateProduct(db: Db, { call, number, fields }: ProductUpdate): Promise<Product> {
  const values = { ...callValues(call), ...recordValues(number), ...fieldValues(FIELDS, fields) }
  return sendChange(db, { call, steps: updateSteps(values), found: selectProduct(values) })
}

const deletionSteps = deletionOf<{ number: number }>({
  table: products,
  type: 'product.deleted',
  which: (p) => sql`${products.id} = ${idIn(p.store, p.number)}`,
  refusedWith: (p) => sql`iif(exists (select 1 from ${product_accesses}
    where product_id = ${idIn(p.store, p.number)}), 'in_use', null)`,
})

/** Throws `not_found`, and `in_use` while there are accesses to the product. */
export function deleteProduct(db: Db, call: Call, number: number): Promise<void> {
  return sendDeletion(db, deletionSteps({ ...callValues(call), number }))
}

export function listProducts(db: Db, call: Call, { limit, after = 0 }: PageRequest<number>): Promise<Page<Product>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectProducts({ ...callValues(call), after, count }),
  })
}

const selectProducts = statement((p: Params<CallValues & { after: number; count: number }>, orm) =>
  orm
    .select()
    .from(products)
    .where(isOfStore(sql`${products.id}`, p.store, p.after))
    .orderBy(asc(products.id))
    .limit(p.count),
)
