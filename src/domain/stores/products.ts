/** The products of a store. */
import { and, asc, eq, exists, getTableColumns, isNotNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { numberOf, storeIn } from '../../db/ids.ts'
import { events, type Product, product_accesses, products } from '../../db/schema.ts'
import { columnsOf, deferred, limitOf, orm, params, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { authorization, type RequestFields, storeNumber } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import {
  applied,
  deleteSubject,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
  permitted,
} from '../change/event.ts'
import { optionalFields } from '../change/fields.ts'
import { changesJson, differencesOf, recordParams, recordValues } from '../change/record.ts'
import { noneHolds, rule } from '../change/rules.ts'
import { changeOf, updateOf } from '../change/update.ts'
import { followsCursor, isAfterCursor, type Page, pageParams, type PageRequest, readPage } from '../pages.ts'

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
  return and(eq(slugOwner.store, permitted.store), eq(slugOwner.slug, createParams.slug))
}

const createRules = lazy(() => [...attemptRules, ...authorization, rule('slug_taken', isNotNull(slugOwner.id))])

/** One row: the request with the product that has the slug already. */
function selectCreateRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(selectRequestWithEarlierAttempts(fields), [slugOwner, isSlugOwner()])
}

const insertCreatedEvent = statement(createParams, () =>
  orm.insert(events).select(selectCreateRequest(newEvent({ type: 'product.created' })).where(noneHolds(createRules()))),
)

const insertProduct = statement(createParams, () =>
  orm.insert(products).select(
    orm
      .select(
        columnsOf(products, {
          ...createParams,
          id: events.id,
          store: storeIn(events.id),
          created_at: contextParams.now,
          event_id: events.id,
          accesses: 0,
          in_force: 0,
        }),
      )
      .from(events)
      .where(isEventOfThisAttempt),
  ),
)

const selectCreated = statement(createParams, () =>
  selectCreateRequest({ ...resultOf(createRules()), ...getTableColumns(products) }).leftJoin(
    products,
    eq(products.id, applied.id),
  ),
)

/** Throws the errors of the authorization and `slug_taken`. */
export async function createProduct(db: Db, context: RequestContext, fields: ProductFields): Promise<Product> {
  const { slug, name, type, expiration_days } = fields
  const values = { slug, name, type, expiration_days }
  const result = await commit(db, context, {
    event: insertCreatedEvent(values),
    product: insertProduct(values),
    result: selectCreated(values),
  })
  return requireRecord<Product>(result)
}

const fields = optionalFields(products, ['name', 'slug', 'type', 'expiration_days'])

const updateParams = { ...recordParams, ...fields.params }

const otherSlugOwner = deferred(() =>
  orm
    .select({ id: slugOwner.id })
    .from(slugOwner)
    .where(and(isSlugOwner(), ne(slugOwner.id, products.id))),
)

const update = updateOf(updateParams, () => ({
  table: products,
  type: 'product.updated',
  rules: [rule('slug_taken', and(sql`${fields.params.sets_slug}`, exists(otherSlugOwner)))],
  after: fields.after(),
  event: { data: changesJson(differencesOf(products, fields.after())) },
}))

const selectUpdated = statement(updateParams, () =>
  update.selectRequest({ ...resultOf(update.rules()), ...getTableColumns(products) }),
)

interface ProductUpdate {
  number: number
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws the errors of the authorization, `not_found` and `slug_taken`. */
export async function updateProduct(db: Db, context: RequestContext, input: ProductUpdate): Promise<Product> {
  const values = { ...recordValues(input), ...fields.valuesOf(input.fields) }
  const result = await commit(db, context, {
    event: update.insertEvent(values),
    product: update.updateRecord(values),
    result: selectUpdated(values),
  })
  return requireRecord<Product>(result)
}

const accessToProduct = deferred(() =>
  orm.select({ id: product_accesses.id }).from(product_accesses).where(eq(product_accesses.product_id, products.id)),
)

const deletion = changeOf(recordParams, () => ({
  table: products,
  type: 'product.deleted',
  rules: [rule('in_use', exists(accessToProduct))],
}))

const deleteProductOfEvent = deleteSubject(products)

const selectDeleted = statement(recordParams, () => deletion.selectRequest(resultOf(deletion.rules())))

/** Throws the errors of the authorization, `not_found`, and `in_use` while accesses to the product exist. */
export async function deleteProduct(db: Db, context: RequestContext, number: number): Promise<void> {
  const values = recordValues({ number })
  await commit(db, context, {
    event: deletion.insertEvent(values),
    product: deleteProductOfEvent({}),
    result: selectDeleted(values),
  })
}

/** The products of a store, or the one with the slug. Throws the errors of the authorization. */
export function listProducts(
  db: Db,
  context: RequestContext,
  { limit, after = 0, slug }: PageRequest<number> & { slug?: string | undefined },
): Promise<Page<Product>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => (slug === undefined ? selectProducts({ after, count }) : selectBySlug({ after, count, slug })),
  })
}

const selectProducts = statement(pageParams, () =>
  orm
    .select()
    .from(products)
    .where(isAfterCursor('asc', products.id))
    .orderBy(asc(products.id))
    .limit(limitOf(pageParams.count)),
)

const slugParams = { ...pageParams, ...params('slug') }

const selectBySlug = statement(slugParams, () =>
  orm
    .select()
    .from(products)
    .where(and(eq(products.store, storeNumber), eq(products.slug, slugParams.slug), followsCursor('asc', products.id)))
    .limit(limitOf(pageParams.count)),
)
