/**
 * The plan of a batch: what happens to each user. It is one query over the items, which is selected before anything is
 * written: in a dry run, before passwords are hashed, and in the batch that writes. The events are inserted from it.
 */
import { and, asc, eq, gt, isNotNull, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { idIn } from '../../db/ids.ts'
import { custom_fields, product_accesses, products, users } from '../../db/schema.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import type { accessItem } from '../accesses/batch-accesses.ts'
import { batchParams, itemList, listed } from '../change/batch-items.ts'
import { storeNumber } from '../change/context.ts'
import type { NewUser } from './create.ts'

type NestedAccessItem = ReturnType<typeof accessItem> & { product_id?: number | undefined; slug?: string | undefined }

/** An item as the statements read it. A field that is undefined is omitted. */
export interface UserItem extends NewUser {
  email_key: string
  product_accesses: NestedAccessItem[]
  password_hash?: string | undefined
  /** The item has a password, but the quota of passwords did not allow hashing it. */
  lacks_hash?: 1 | undefined
}

const emailKey = sql`(${listed.json} ->> 'email_key')`

/** The keys of an item's custom fields. */
const customField = sql`json_each(${listed.json}, '$.custom_fields') custom_field`
const customFieldKey = sql`custom_field.key`

const definition = orm
  .select({ defined: sql`1` })
  .from(custom_fields)
  .where(and(eq(custom_fields.store, storeNumber), eq(custom_fields.key, customFieldKey)))

/** Each item, with the user who has the email already. */
const item = orm.$with('item').as(
  orm
    .select({
      position: sql<number>`${listed.position}`.as('position'),
      fields: sql<string>`${listed.json}`.as('fields'),
      email_key: sql<string>`${emailKey}`.as('email_key'),
      existing_id: sql<number | null>`${users.id}`.as('existing_id'),
      /** A JSON list: the custom fields that the store does not define. */
      unknown_fields: sql<string>`(select json_group_array(${customFieldKey}) from ${customField}
        where ${notExists(definition)})`.as('unknown_fields'),
    })
    .from(itemList)
    .leftJoin(users, and(eq(users.store, storeNumber), eq(users.email_key, emailKey)))
    .where(listed.isValid),
)

/** The accesses that an item contains. */
const accessList = sql`json_each(${item.fields}, '$.product_accesses') listed`

const isProduct = or(
  eq(products.id, idIn(storeNumber, sql`(${listed.json} ->> 'product_id')`)),
  and(eq(products.store, storeNumber), eq(products.slug, sql`(${listed.json} ->> 'slug')`)),
)

/** Each nested access with its product, null if the store has none, and with the access that the user has already. */
export const nested = orm.$with('nested').as(
  orm
    .select({
      item_position: sql<number>`${item.position}`.as('item_position'),
      nested_position: sql<number>`${listed.position}`.as('nested_position'),
      given: sql<string>`${listed.json}`.as('given'),
      known_user_id: sql<number | null>`${item.existing_id}`.as('known_user_id'),
      known_product_id: sql<number | null>`${products.id}`.as('known_product_id'),
      access_id: sql<number | null>`${product_accesses.id}`.as('access_id'),
      /** 1 for the first access of the item to this product. */
      occurrence: sql<number>`row_number() over (partition by ${item.position}, ${products.id}
        order by ${listed.position})`.as('occurrence'),
    })
    .from(item)
    .crossJoin(accessList)
    .leftJoin(products, isProduct)
    .leftJoin(
      product_accesses,
      and(eq(product_accesses.user_id, item.existing_id), eq(product_accesses.product_id, products.id)),
    ),
)

/** The nested accesses of each item that are invalid, as JSON lists of their indexes. */
const invalid = orm.$with('invalid').as(
  orm
    .select({
      invalid_position: sql<number>`${nested.item_position}`.as('invalid_position'),
      unknown_products: positionsWhere(isNull(nested.known_product_id)).as('unknown_products'),
      repeated_products: positionsWhere(and(isNotNull(nested.known_product_id), gt(nested.occurrence, 1))).as(
        'repeated_products',
      ),
    })
    .from(nested)
    .groupBy(sql`${nested.item_position}`),
)

function positionsWhere(condition: SQL | undefined): SQL<string | null> {
  return sql<string | null>`json_group_array(${nested.nested_position}) filter (where ${condition})`
}

const isChange = or(isNull(item.existing_id), eq(batchParams.on_existing, 'update'))

/** What is wrong with an item, whatever the other items are. The errors are in the order of the contract, in two parts. */
const ownError = sql`case
  when ${or(ne(item.unknown_fields, '[]'), ne(invalid.unknown_products, '[]'))} then 'unknown_values'
  when ${and(isNotNull(item.existing_id), eq(batchParams.on_existing, 'fail'))} then 'email_taken' end`

const laterOwnError = sql`case
  when ${and(isChange, ne(invalid.repeated_products, '[]'))} then 'product_repeated'
  when ${and(isChange, sql`${item.fields} ->> 'lacks_hash'`)} then 'password_quota_exceeded' end`

/** Of several items with the same email, only the first one without an error counts. */
const firstOfEmail = sql<number | null>`min(${item.position})
  filter (where ${and(isNull(ownError), isNull(laterOwnError))}) over (partition by ${item.email_key})`

type ItemError = 'unknown_values' | 'email_taken' | 'product_repeated' | 'password_quota_exceeded'

export const plan = orm.$with('plan').as(
  orm
    .select({
      position: item.position,
      fields: item.fields,
      existing_id: item.existing_id,
      unknown_fields: item.unknown_fields,
      unknown_products: invalid.unknown_products,
      repeated_products: invalid.repeated_products,
      first_position: firstOfEmail.as('first_position'),
      error: sql<ItemError | null>`coalesce(${ownError},
        iif(${item.position} > ${firstOfEmail}, 'email_taken', null), ${laterOwnError})`.as('error'),
    })
    .from(item)
    .leftJoin(invalid, eq(invalid.invalid_position, item.position)),
)

/**
 * Defines `plan` for a query. Drizzle's own `with` has no `materialized`, and without it SQLite looks up the user and the
 * custom fields of each item several times.
 */
export const withPlan = sql`with ${sql.join(
  [item, nested, invalid, plan].map(({ _ }) => sql`${sql.identifier(_.alias)} as materialized (${_.sql})`),
  sql`, `,
)}`

export const selectPlan = statement(batchParams, () =>
  orm
    .select({
      position: plan.position,
      error: plan.error,
      existing_id: plan.existing_id,
      first_position: plan.first_position,
      unknown_fields: plan.unknown_fields,
      unknown_products: plan.unknown_products,
      repeated_products: plan.repeated_products,
    })
    .from(sql`(${withPlan} select * from ${plan}) plan`)
    .orderBy(asc(plan.position)),
)

export type PlannedUser = RowOf<typeof selectPlan>
