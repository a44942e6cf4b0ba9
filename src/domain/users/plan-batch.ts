/**
 * What becomes of each user of a batch, told before anything is written: in a dry run, before passwords are hashed,
 * and once more in the batch that writes, where the events follow it. All of it is one query over the items.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { custom_fields, product_accesses, products, users } from '../../db/schema.ts'
import { changedValues, type GivenAccess, isAccessChanged } from '../accesses/batch-accesses.ts'
import type { BatchValues } from '../change/batch-events.ts'
import { isAnyChanged, shownChanges } from '../change/changes.ts'
import { PLAIN_FIELDS, type PlainField } from './fields.ts'

/** An item as the statements read it. What is undefined is left out. */
export interface UserItem {
  email_key: string
  email: string
  name: string
  last_name: string
  language?: string | undefined
  phone?: string | undefined
  country?: string | undefined
  external_id?: string | undefined
  avatar?: string | undefined
  custom_fields?: unknown
  product_accesses: (GivenAccess & { product_id?: number | undefined; slug?: string | undefined })[]
  password_hash?: string | undefined
  /** It brings a password for which there was no quota. */
  lacks_hash?: 1 | undefined
}

type P = Params<BatchValues>

/** Each item, with the user who has the e-mail. */
const items = (p: P): SQL => sql`(select i.key as at, i.value as fields, i.value ->> 'email_key' as email_key,
    (select id from ${users} where store = ${p.store} and email_key = i.value ->> 'email_key') as existing
  from json_each(${p.items}) i where i.type = 'object')`

/** Each access that an item brings, with its product, the access that is there, and how often it was named so far. */
function broughtAccesses(p: P): SQL {
  const product = sql`coalesce(
    (select id from ${products} where id = ${idIn(p.store, sql`(a.value ->> 'product_id')`)}),
    (select id from ${products} where store = ${p.store} and slug = a.value ->> 'slug'))`
  return sql`(select b.*, t.id as access_id, row_number() over (partition by at, b.product_id order by nth) as times
    from (
      select i.at, a.key as nth, a.value as given, i.existing as user_id, ${product} as product_id
      from item i, json_each(i.fields, '$.product_accesses') a
    ) b left join ${product_accesses} t on t.user_id = b.user_id and t.product_id = b.product_id)`
}

/** The custom fields of an item `i` that the store does not define. */
const unknownFieldsOfItem = (p: P): SQL => sql`(select k.key from json_each(i.fields, '$.custom_fields') k
  where not exists (select 1 from ${custom_fields} f where f.store = ${p.store} and f.key = k.key))`

/**
 * `planned`: each item with its verdict. Of several with one e-mail that nothing else speaks against, the first one
 * counts; what is asked of an item is in the order of docs/errors.md.
 */
function plan(p: P): SQL {
  const isChange = sql`(i.existing is null or ${p.on_existing} = 'update')`
  return sql`item as materialized ${items(p)},
    brought as materialized ${broughtAccesses(p)},
    faulty as materialized (select at,
      json_group_array(nth) filter (where product_id is null) as unknown_products,
      json_group_array(nth) filter (where product_id is not null and times > 1) as repeated_products
      from brought group by at),
    judged as (select i.*, unknown_products, repeated_products,
      case when exists ${unknownFieldsOfItem(p)} or unknown_products <> '[]' then 'unknown_values'
        when i.existing is not null and ${p.on_existing} = 'fail' then 'email_taken' end as refusal,
      case when ${isChange} and repeated_products <> '[]' then 'access_exists'
        when ${isChange} and i.fields ->> 'lacks_hash' then 'no_quota' end as later_refusal
      from item i left join faulty f on f.at = i.at),
    ranked as (select *,
      min(at) filter (where refusal is null and later_refusal is null) over (partition by email_key) as first
      from judged),
    planned as materialized (select at, fields, existing, first, unknown_products, repeated_products,
      coalesce(refusal, iif(at > first, 'email_taken', null), later_refusal) as verdict from ranked)`
}

type ItemVerdict = 'unknown_values' | 'email_taken' | 'access_exists' | 'no_quota'

export const tellPlan = statement((p: P, orm) =>
  orm
    .select({
      at: sql<number>`at`,
      verdict: sql<ItemVerdict | null>`verdict`,
      existing: sql<number | null>`existing`,
      first: sql<number | null>`first`,
      unknown_fields: sql<string>`unknown_fields`,
      unknown_products: sql<string | null>`unknown_products`,
      repeated_products: sql<string | null>`repeated_products`,
    })
    .from(
      sql`(with ${plan(p)} select at, verdict, existing, first, unknown_products, repeated_products,
        (select json_group_array(key) from ${unknownFieldsOfItem(p)}) as unknown_fields from planned i)`,
    )
    .orderBy(sql`at`),
)

export type Plan = RowOf<typeof tellPlan>

/** What a plain field of a user who is there becomes: null counts as left out. */
export function updatedField(field: PlainField, fields: SQL): SQL {
  return sql`coalesce(${fields} ->> ${literal(field)}, ${users[field]})`
}

/** As a PATCH sets them (RFC 7396), but that nulls, too, count as left out: merging into nothing drops them. */
export function updatedCustomFields(fields: SQL): SQL {
  const given = sql`json_patch('{}', coalesce(${fields} -> 'custom_fields', '{}'))`
  return sql`nullif(json_patch(coalesce(${users.custom_fields}, '{}'), ${given}), '{}')`
}

/** The changes of all items, as `insertEvents` takes them: the users, and the accesses after them. */
export function plannedChanges(p: P): SQL {
  const fields = sql`i.fields`
  const compared = [
    ...PLAIN_FIELDS.map((field) => ({ field, from: sql`${users[field]}`, to: updatedField(field, fields) })),
    { field: 'custom_fields', from: sql`${users.custom_fields}`, to: updatedCustomFields(fields) },
    { field: 'password', from: sql`0`, to: sql`(${fields} ->> 'password_hash' is not null)` },
  ]
  const accepted = sql`i.verdict is null and (i.existing is null or ${p.on_existing} = 'update')`
  return sql`with ${plan(p)}
    select i.at, -1 as nth, i.at as place, iif(i.existing is null, 'user.created', 'user.updated') as type,
      i.existing as subject_id, ${users.event_id} as previous_id, null as user_id, null as product_id,
      iif(i.existing is null, null, ${shownChanges('fields', compared)}) as data
    from planned i left join ${users} on ${users.id} = i.existing
    where ${accepted} and (i.existing is null or ${isAnyChanged(compared)})
    union all
    select i.at, b.nth, i.at || '/' || b.nth,
      iif(b.access_id is null, 'product_access.granted', 'product_access.updated'),
      b.access_id, ${product_accesses.event_id}, b.user_id, b.product_id, iif(b.access_id is null, null, ${changedValues})
    from planned i join brought b on b.at = i.at left join ${product_accesses} on ${product_accesses.id} = b.access_id
    where ${accepted} and (b.access_id is null or ${isAccessChanged})`
}
