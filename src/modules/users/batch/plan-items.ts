/**
 * The plan of a batch: what happens to each user. It is one query over the items, which is selected before anything is
 * written: in a dry run, before passwords are hashed, and in the batch that writes. The events are inserted from it.
 */
import { and, asc, eq, gt, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { idIn } from '../../../db/ids.ts'
import { product_accesses, products } from '../../../db/schema/accesses.ts'
import { users } from '../../../db/schema/stores.ts'
import { named, orm, type RowOf, statement } from '../../../db/statement.ts'
import { lazy } from '../../../lib/lazy.ts'
import type { accessItem } from '../../accesses/access-items.ts'
import { batchParams, itemList, listed } from '../../../change/many-records.ts'
import { contextParams } from '../../../change/request.ts'
import type { NewUser } from '../create-user.ts'
import { areTooLarge, mergedCustomFieldsOf, unknownKeys, type foldedValues } from '../user-writes.ts'

type NestedAccessItem = ReturnType<typeof accessItem> & { product_id?: number | undefined; slug?: string | undefined }

/** An item as the statements read it. A field that is undefined is omitted. */
export interface UserItem extends NewUser, ReturnType<typeof foldedValues> {
  email_key: string
  product_accesses: NestedAccessItem[]
  password_hash?: string | undefined
  /** The item has a password, but the quota of passwords did not allow hashing it. */
  lacks_hash?: 1 | undefined
}

const emailKey = sql`(${listed.json} ->> 'email_key')`

/** Each item, with the user who has the email already. The queries of a plan are built for the first batch. */
const item = lazy(() =>
  orm.$with('item').as(
    orm
      .select(
        named({
          position: sql<number>`${listed.position}`,
          fields: sql<string>`${listed.json}`,
          email_key: sql<string>`${emailKey}`,
          existing_id: sql<number | null>`${users.id}`,
          unknown_fields: unknownKeys(
            sql`custom_field.key`,
            sql`json_each(${listed.json}, '$.custom_fields') custom_field`,
            contextParams.store,
          ),
          is_too_large: isTooLarge(),
        }),
      )
      .from(itemList)
      .leftJoin(users, and(eq(users.store, contextParams.store), eq(users.email_key, emailKey)))
      .where(listed.isValid),
  ),
)

/** 1 if an update would make the custom fields of the user too large; null if the item does not update them. */
function isTooLarge(): SQL<0 | 1 | null> {
  const isUpdate = and(
    isNotNull(users.id),
    eq(batchParams.on_existing, 'update'),
    isNotNull(sql`${listed.json} -> 'custom_fields'`),
  )
  return sql<0 | 1 | null>`case when ${isUpdate} then ${areTooLarge(mergedCustomFieldsOf(listed.json))} end`
}

/** Each nested access with its product, null if the store has none, and with the access that the user has already. */
export const nested = lazy(() => {
  const { position, fields, existing_id } = item()
  const isProduct = or(
    eq(products.id, idIn(contextParams.store, sql`(${listed.json} ->> 'product_id')`)),
    and(eq(products.store, contextParams.store), eq(products.slug, sql`(${listed.json} ->> 'slug')`)),
  )
  const isAccess = and(eq(product_accesses.user_id, existing_id), eq(product_accesses.product_id, products.id))
  return orm.$with('nested').as(
    orm
      .select(
        named({
          item_position: sql<number>`${position}`,
          nested_position: sql<number>`${listed.position}`,
          given: sql<string>`${listed.json}`,
          known_user_id: sql<number | null>`${existing_id}`,
          known_product_id: sql<number | null>`${products.id}`,
          access_id: sql<number | null>`${product_accesses.id}`,
          /** 1 for the first access of the item to this product. */
          occurrence: sql<number>`row_number() over (partition by ${position}, ${products.id}
          order by ${listed.position})`,
        }),
      )
      .from(item())
      .crossJoin(sql`json_each(${fields}, '$.product_accesses') listed`)
      .leftJoin(products, isProduct)
      .leftJoin(product_accesses, isAccess),
  )
})

/** The invalid accesses of each item, as JSON lists of their indexes. */
const invalid = lazy(() => {
  const { item_position, nested_position, known_product_id, occurrence } = nested()
  const positionsWhere = (condition: SQL | undefined) =>
    sql<string | null>`json_group_array(${nested_position}) filter (where ${condition})`
  return orm.$with('invalid').as(
    orm
      .select(
        named({
          invalid_position: sql<number>`${item_position}`,
          unknown_products: positionsWhere(isNull(known_product_id)),
          repeated_products: positionsWhere(and(isNotNull(known_product_id), gt(occurrence, 1))),
        }),
      )
      .from(nested())
      .groupBy(sql`${item_position}`),
  )
})

type ItemError =
  | 'unknown_values'
  | 'custom_fields_too_large'
  | 'email_taken'
  | 'product_repeated'
  | 'password_quota_exceeded'

/** What is wrong with an item, whatever the other items are, in the order of the contract and in two parts. */
function ownErrors() {
  const { fields, existing_id, unknown_fields, is_too_large } = item()
  const { unknown_products, repeated_products } = invalid()
  const isChange = or(isNull(existing_id), eq(batchParams.on_existing, 'update'))
  return {
    beforeEmail: sql`case
      when ${or(ne(unknown_fields, '[]'), ne(unknown_products, '[]'))} then 'unknown_values'
      when ${is_too_large} then 'custom_fields_too_large'
      when ${and(isNotNull(existing_id), eq(batchParams.on_existing, 'fail'))} then 'email_taken' end`,
    afterEmail: sql`case
      when ${and(isChange, ne(repeated_products, '[]'))} then 'product_repeated'
      when ${and(isChange, sql`${fields} ->> 'lacks_hash'`)} then 'password_quota_exceeded' end`,
  }
}

export const plan = lazy(() => {
  const { position, email_key, fields, existing_id, unknown_fields } = item()
  const { invalid_position, unknown_products, repeated_products } = invalid()
  const { beforeEmail, afterEmail } = ownErrors()
  // Of several items with the same email, only the first one without an error of its own counts.
  const first = sql<number | null>`min(${position})
    filter (where ${and(isNull(beforeEmail), isNull(afterEmail))}) over (partition by ${email_key})`
  const isRepeated = gt(position, first)
  const error = sql<ItemError | null>`coalesce(${beforeEmail}, iif(${isRepeated}, 'email_taken', null), ${afterEmail})`
  return orm.$with('plan').as(
    orm
      .select(
        named({
          position,
          fields,
          existing_id,
          unknown_fields,
          unknown_products,
          repeated_products,
          first_position: first,
          error,
        }),
      )
      .from(item())
      .leftJoin(invalid(), eq(invalid_position, position)),
  )
})

/**
 * Defines `plan` and `nested` for a query. Drizzle's own `with` has no `materialized`, and without it SQLite looks up the
 * user and the custom fields of each item several times.
 */
export function withPlan(): SQL {
  const queries = [item(), nested(), invalid(), plan()]
  const definitions = queries.map(({ _ }) => sql`${sql.identifier(_.alias)} as materialized (${_.sql})`)
  return sql`with ${sql.join(definitions, sql`, `)}`
}

export const selectPlan = statement(batchParams, () => {
  const { position, error, existing_id, first_position, unknown_fields, unknown_products, repeated_products } = plan()
  return orm
    .select({ position, error, existing_id, first_position, unknown_fields, unknown_products, repeated_products })
    .from(sql`(${withPlan()} select * from ${plan()}) plan`)
    .orderBy(asc(position))
})

export type PlannedUser = RowOf<typeof selectPlan>
