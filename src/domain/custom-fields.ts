import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Principal } from '../context.ts'
import { type Db, query, run } from '../db/client.ts'
import { type CustomField, custom_fields } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { forget } from './access-tokens.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

interface FieldId {
  store_id: string
  key: string
}

/** Which of the keys are not defined in the caller's store; asks the primary before it says so of any. */
export async function findUndefinedKeys(db: Db, principal: Principal, keys: string[]): Promise<string[]> {
  if (keys.every((key) => principal.custom_fields.has(key))) return []
  const select = db.orm
    .select({ key: custom_fields.key })
    .from(custom_fields)
    .where(eq(custom_fields.store_id, principal.store_id))
  const [rows] = await run(db, [query(select)], { retry: true })
  const defined = new Set(rows.map((row) => row.key))
  const undefinedKeys = keys.filter((key) => !defined.has(key))
  if (undefinedKeys.length < keys.length) forget(({ store_id }) => store_id === principal.store_id)
  return undefinedKeys
}

/** Defines the field or changes its label; `label` undefined keeps the one there is. */
export async function putCustomField(
  db: Db,
  { store_id, key, label, now }: FieldId & { label: string | undefined; now: number },
): Promise<{ row: CustomField; isNew: boolean }> {
  const insert = db.orm
    .insert(custom_fields)
    .values({ store_id, key, label: label ?? null, created_at: now })
    .onConflictDoNothing()
    .returning()
  const update = db.orm
    .update(custom_fields)
    .set({ label: label === undefined ? sql`${custom_fields.label}` : label })
    .where(and(eq(custom_fields.store_id, store_id), eq(custom_fields.key, key)))
    .returning()
  const [inserted, [row]] = await run(db, [query(insert), query(update)])
  if (!row) throw new Error('an upsert returned no row')
  return { row, isNew: inserted.length > 0 }
}

export async function listCustomFields(
  db: Db,
  { store_id, limit, after = '' }: PageRequest<string> & { store_id: string },
): Promise<Page<CustomField>> {
  const select = db.orm
    .select()
    .from(custom_fields)
    .where(and(eq(custom_fields.store_id, store_id), gt(custom_fields.key, after)))
    .orderBy(asc(custom_fields.key))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.key)
}

/** Values that users have are kept; new ones are refused here at once, elsewhere within a minute. Throws `not_found`. */
export async function deleteCustomField(db: Db, { store_id, key }: FieldId): Promise<void> {
  const remove = db.orm
    .delete(custom_fields)
    .where(and(eq(custom_fields.store_id, store_id), eq(custom_fields.key, key)))
    .returning({ key: custom_fields.key })
  const [deleted] = await run(db, [query(remove)])
  forget((principal) => principal.store_id === store_id)
  if (deleted.length === 0) throw new ApiError('not_found')
}
