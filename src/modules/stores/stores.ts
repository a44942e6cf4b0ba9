import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeRowIdIn } from '../../db/ids.ts'
import { directory } from '../../db/schema/jobs.ts'
import { access_tokens, events, type Store, stores } from '../../db/schema/stores.ts'
import { lazySql, limitOf, orm, params, statement, eachNumber } from '../../db/statement.ts'
import { contextParams, ifAuthorized, type RequestContext, storeNumber } from '../../change/request.ts'
import { optionalFields } from '../../change/record-fields.ts'
import { updateOf } from '../../change/update-record.ts'
import { readAll, readOne } from '../../change/commit.ts'
import { isEventOfThisAttempt } from '../../change/event.ts'
import { upsertZone, zoneParams, zoneValues } from '../time-zones/zone-rows.ts'
import { isComplete, storeColumns } from '../store-directory/directory.ts'
import { type Page, pageOf, pageParams, type PageRequest } from '../../change/pages.ts'

const selectStore = statement({}, () =>
  orm
    .select()
    .from(stores)
    .where(eq(stores.id, storeRowIdIn(storeNumber))),
)

export function getStore(db: Db, context: RequestContext): Promise<Store> {
  return readOne(db, context, selectStore({}))
}

const fields = optionalFields(stores, ['name', 'language', 'time_zone', 'expiry_notice_days'])

/** 1 suspends the store, 0 ends the suspension, and null changes neither. */
const suspension = params('suspended')

const updateParams = { ...fields.params, ...suspension, ...zoneParams }

const insertZone = statement(zoneParams, () => upsertZone(events, isEventOfThisAttempt))

const newValues = {
  ...fields.newValues(),
  // A store that is suspended again keeps the time of its first suspension.
  suspended_at: sql`case ${suspension.suspended} when 1 then coalesce(${stores.suspended_at}, ${contextParams.now})
    when 0 then null else ${stores.suspended_at} end`,
}

const update = updateOf(
  updateParams,
  () => ({ table: stores, type: 'store.updated', newValues, record: getTableColumns(stores) }),
  { consequences: (values) => ({ zone: values.zone_changes === null ? undefined : insertZone(values) }) },
)

interface StoreUpdate {
  /** True rejects the store's tokens from now on, false accepts them again; undefined changes nothing. */
  suspended: boolean | undefined
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0] & { time_zone?: string | undefined }
}

export function updateStore(db: Db, context: RequestContext, input: StoreUpdate): Promise<Store> {
  const suspended = input.suspended === undefined ? null : Number(input.suspended)
  // The row of a store is its first record.
  const values = { ...zoneValues(input.fields.time_zone), ...fields.valuesOf(input.fields), suspended }
  return update(db, context, { number: 1 }, values)
}

/** The stores that the caller may see: all, or those to which the operator is limited. */
export async function listStores(
  db: Db,
  context: RequestContext,
  { limit, after: afterSlug = '' }: PageRequest<string>,
): Promise<Page<Store>> {
  const values = { after: afterSlug, count: limit + 1 }
  const { all, limited } = await readAll(db, context, { all: selectStores(values), limited: selectLimited(values) })
  return pageOf([...all, ...limited], limit, (row) => row.slug)
}

/** The numbers of the stores to which the caller is limited; null for other callers. */
const numbersOfCaller = lazySql<string | null>(() =>
  orm
    .select({ numbers: access_tokens.store_numbers })
    .from(access_tokens)
    .where(eq(access_tokens.id, contextParams.caller)),
)

/**
 * The stores of the shared database and those of the directory, merged in the order of their indexes. Selects nothing for
 * an operator who is limited to stores: no slug is greater than null, so no row is read either.
 */
const selectStores = statement(pageParams, () => {
  const afterSlug = sql`iif(${numbersOfCaller} is null, ${ifAuthorized(pageParams.after)}, null)`
  return orm
    .select(getTableColumns(stores))
    .from(stores)
    .where(gt(stores.slug, afterSlug))
    .unionAll(
      orm
        .select(storeColumns())
        .from(directory)
        .where(and(isComplete, gt(directory.slug, afterSlug))),
    )
    .orderBy(sql`slug`)
    .limit(limitOf(pageParams.count))
})

/** Selects nothing for any other caller. It reads the operator's stores, however many others there are. */
const selectLimited = statement(pageParams, () => {
  const numbers = sql`${eachNumber(ifAuthorized(numbersOfCaller))} own`
  return orm
    .select(getTableColumns(stores))
    .from(numbers)
    .crossJoin(stores)
    .where(and(eq(stores.id, storeRowIdIn(sql`own.value`)), gt(stores.slug, pageParams.after)))
    .unionAll(
      orm
        .select(storeColumns())
        .from(numbers)
        .crossJoin(directory)
        .where(and(isComplete, eq(directory.number, sql`own.value`), gt(directory.slug, pageParams.after))),
    )
    .orderBy(sql`slug`)
    .limit(limitOf(pageParams.count))
})
