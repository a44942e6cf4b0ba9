/** Creates a bulk change. The object of the store carries it out (src/modules/bulk-changes/process-chunk.ts). */
import { and, eq, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { users } from '../../db/schema/stores.ts'
import { orm, params } from '../../db/statement.ts'
import { isDefinedField } from '../custom-fields/field-filter.ts'
import type { AccessStatus } from '../accesses/access-record.ts'
import { permittedStore } from '../../change/event.ts'
import { storeOfRequest, type RequestContext, rule } from '../../change/request.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import { bulkCreationOf, hasTooMany } from './insert-bulk-change.ts'
import type { BulkChangeRecord } from './read-bulk-changes.ts'

/** Which accesses are changed. Ids are numbers in the store, times are milliseconds since the epoch. */
interface BulkFilter {
  product_id?: number | undefined
  user_ids?: readonly number[] | undefined
  custom_field?: { key: string; value: string } | undefined
  status?: AccessStatus | undefined
  in_force?: boolean | undefined
  due_after?: number | undefined
  due_before?: number | undefined
}

/** What is changed; a field that is omitted keeps its value. */
interface BulkSettings {
  status?: AccessStatus | undefined
  access_due_date?: number | null | undefined
  /** If it is true, an access that ends later than `access_due_date`, or never, keeps its date. */
  never_shorten?: boolean | undefined
  extend_days?: number | undefined
  extend_months?: number | undefined
}

interface BulkInput {
  key: IdempotencyKey | undefined
  filter: BulkFilter
  change: BulkSettings
  isDryRun: boolean
}

/** Throws `idempotency_key_reused`, `unknown_filter` and `too_many_bulk_changes`. */
export function createBulkChange(
  db: Db,
  context: RequestContext,
  { key, ...input }: BulkInput,
): Promise<Created<BulkChangeRecord>> {
  return create(db, context, inputValues(input), { key })
}

const inputParams = params(
  'filter_product',
  'filter_user_ids',
  'filter_custom_field_key',
  'filter_custom_field_value',
  'filter_status',
  'filter_in_force',
  'filter_due_after',
  'filter_due_before',
  'change_status',
  'change_sets_due_date',
  'change_access_due_date',
  'change_extend_days',
  'change_extend_months',
  'change_never_shorten',
  'dry_run',
)

function inputValues({ filter, change, isDryRun }: Omit<BulkInput, 'key'>) {
  return {
    filter_product: filter.product_id ?? null,
    filter_user_ids: filter.user_ids === undefined ? null : JSON.stringify(filter.user_ids),
    filter_custom_field_key: filter.custom_field?.key ?? null,
    filter_custom_field_value: filter.custom_field?.value ?? null,
    filter_status: filter.status ?? null,
    filter_in_force: filter.in_force === undefined ? null : Number(filter.in_force),
    filter_due_after: filter.due_after ?? null,
    filter_due_before: filter.due_before ?? null,
    change_status: change.status ?? null,
    change_sets_due_date: change.access_due_date === undefined ? 0 : 1,
    change_access_due_date: change.access_due_date ?? null,
    change_extend_days: change.extend_days ?? null,
    change_extend_months: change.extend_months ?? null,
    change_never_shorten: Number(change.never_shorten ?? false),
    dry_run: Number(isDryRun),
  }
}

const product = alias(products, 'product')

/** The positions in `filter_user_ids` of the users that do not exist, as a JSON list. */
function unknownUsers() {
  const isKnown = orm
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, idIn(storeOfRequest, sql`listed.value`)))
  return sql`(select json_group_array(listed.key) from json_each(${inputParams.filter_user_ids}) listed where not exists ${isKnown})`
}

function unknownFilter() {
  const lacksProduct = and(isNotNull(inputParams.filter_product), isNull(product.id))
  const key = inputParams.filter_custom_field_key
  const lacksField = and(isNotNull(key), not(isDefinedField(storeOfRequest, key)))
  return rule('unknown_filter', or(lacksProduct, lacksField, sql`${unknownUsers()} <> '[]'`), {
    lacks_product: sql`(${lacksProduct})`,
    lacks_field: sql`(${lacksField})`,
    unknown_users: sql`json(${unknownUsers()})`,
  })
}

/** Accesses that are created later are not reached. */
function idsOfAccesses() {
  const ends = (id: 'min' | 'max') =>
    sql`${orm
      .select({ id: sql`${sql.raw(id)}(${product_accesses.id})` })
      .from(product_accesses)
      .where(isOfStore(product_accesses.id, storeOfRequest))}`
  const none = idIn(storeOfRequest, 0)
  const before = sql`coalesce(${ends('min')} - 1, ${none})`
  return { starts_after: before, cursor: before, ends_at: sql`coalesce(${ends('max')}, ${none})` }
}

const create = bulkCreationOf(inputParams, () => {
  const { filter_product, ...columns } = inputParams
  return {
    joins: [[product, eq(product.id, idIn(permittedStore, filter_product))]],
    rules: [unknownFilter(), rule('too_many_bulk_changes', hasTooMany())],
    columns: {
      ...columns,
      filter_product_id: product.id,
      reverts: null,
      ...idsOfAccesses(),
    },
  }
})
