import { asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { type Store, stores, webhook_endpoints } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

interface NewStore {
  id: string | undefined
  name: string
  language: string
  now: number
}

/** Throws `already_exists`. */
export async function createStore(db: Db, { id, name, language, now }: NewStore): Promise<Store> {
  const slug = id ?? `store-${crypto.randomUUID().slice(-12)}`
  const insert = db.orm
    .insert(stores)
    .values({ id: slug, name, language, created_at: now })
    .onConflictDoNothing()
    .returning()
  const [[row]] = await run(db, [query(insert)])
  if (row) return row
  throw new ApiError('already_exists', {
    details: [{ field: 'id', value: slug, explanation: 'a store with this id exists' }],
  })
}

/** The ids of a store's webhook endpoints that are in use, as a JSON list. */
export const enabledEndpoints = sql<string>`(select json_group_array(w.id) from ${webhook_endpoints} w
  where w.store_id = ${stores}.id and w.disabled_at is null)`

/** With the ids of its webhook endpoints. Throws `not_found`. */
export async function getStore(db: Db, id: string): Promise<Store & { webhook_endpoints: number[] }> {
  const select = db.orm
    .select({ ...getTableColumns(stores), webhook_endpoints: enabledEndpoints.as('webhook_endpoints') })
    .from(stores)
    .where(eq(stores.id, id))
  const [[row]] = await run(db, [query(select)])
  if (row) return { ...row, webhook_endpoints: JSON.parse(row.webhook_endpoints) }
  throw new ApiError('not_found')
}

export async function listStores(db: Db, { limit, after = '' }: PageRequest<string>): Promise<Page<Store>> {
  const select = db.orm
    .select()
    .from(stores)
    .where(gt(stores.id, after))
    .orderBy(asc(stores.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}
