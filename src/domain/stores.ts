import { asc, eq, gt } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { type Store, stores } from '../db/schema.ts'
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

/** Throws `not_found`. */
export async function getStore(db: Db, id: string): Promise<Store> {
  const [[row]] = await run(db, [query(db.orm.select().from(stores).where(eq(stores.id, id)))])
  if (row) return row
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
