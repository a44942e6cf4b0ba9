import { asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeRowIdIn } from '../../db/ids.ts'
import { type Store, stores } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { request } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext, storeNumber } from '../change/context.ts'
import { optionalFields } from '../change/fields.ts'
import { readOne } from '../change/read.ts'
import { changesJson, differencesOf } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../pages.ts'

const selectStore = statement({}, () =>
  orm
    .select()
    .from(stores)
    .where(eq(stores.id, storeRowIdIn(storeNumber))),
)

/** Throws the errors of the authorization. */
export function getStore(db: Db, context: RequestContext): Promise<Store> {
  return readOne(db, context, selectStore({}))
}

const fields = optionalFields(stores, ['name', 'language', 'expiry_notice_days'])

/** 1 suspends the store, 0 ends the suspension, and null changes neither. */
const suspension = params('suspended')

const updateParams = { ...fields.params, ...suspension }

const after = {
  ...fields.after(),
  // A store that is suspended again keeps the time of its first suspension.
  suspended_at: sql`case ${suspension.suspended} when 1 then coalesce(${stores.suspended_at}, ${contextParams.now})
    when 0 then null else ${stores.suspended_at} end`,
}

const update = updateOf(updateParams, () => ({
  table: stores,
  type: 'store.updated',
  isRecord: eq(stores.id, storeRowIdIn(request.store)),
  after,
  event: { data: changesJson(differencesOf(stores, after)) },
}))

const selectUpdated = statement(updateParams, () =>
  update.selectRequest({ ...resultOf(update.rules()), ...getTableColumns(stores) }),
)

interface StoreUpdate {
  /** True rejects the store's tokens from now on, false accepts them again; undefined changes nothing. */
  suspended: boolean | undefined
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws the errors of the authorization. */
export async function updateStore(db: Db, context: RequestContext, input: StoreUpdate): Promise<Store> {
  const suspended = input.suspended === undefined ? null : Number(input.suspended)
  const values = { ...fields.valuesOf(input.fields), suspended }
  const result = await commit(db, context, {
    event: update.insertEvent(values),
    store: update.updateRecord(values),
    result: selectUpdated(values),
  })
  return requireRecord<Store>(result)
}

/** Throws the errors of the authorization. */
export function listStores(
  db: Db,
  context: RequestContext,
  { limit, after = '' }: PageRequest<string>,
): Promise<Page<Store>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => row.slug,
    select: (count) => selectStores({ after, count }),
  })
}

const selectStores = statement(pageParams, () =>
  orm
    .select()
    .from(stores)
    .where(gt(stores.slug, pageParams.after))
    .orderBy(asc(stores.slug))
    .limit(limitOf(pageParams.count)),
)
