/**
 * Changes of an access. Each is one batch: the event, the change, the read. The first two have the same guard (what
 * really differs, in a version that the caller expects), so both happen or neither, and sent twice in a row they happen once.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Bound, type Db, query, run, statement } from '../db/client.ts'
import { events, type ProductAccess, product_accesses } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { noteUse } from './access-tokens.ts'
import { type Cause, causeValues, eventColumns, type EventType, type Value } from './events.ts'
import { type AccessId, type AccessStatus, findProductAccess, type ProductAccessRecord } from './product-accesses.ts'

/** A field's value after the change, which may be the one before. */
interface Field {
  column: SQLiteColumn
  to: SQL
}

interface Change {
  type: EventType
  fields: Field[]
  values: Record<'store_id' | 'id' | 'versions' | 'request_id' | 'now' | 'token_id', Value>
}

const PLACEHOLDERS = {
  store_id: sql.placeholder('store_id'),
  id: sql.placeholder('id'),
  versions: sql.placeholder('versions'),
  request_id: sql.placeholder('request_id'),
  now: sql.placeholder('now'),
  token_id: sql.placeholder('token_id'),
}

function guard({ fields, values: { store_id, id, versions } }: Change): SQL {
  const differ = fields.map(({ column, to }) => sql`${column} is not ${to}`)
  return sql`${product_accesses.id} = ${id} and ${product_accesses.store_id} = ${store_id}
    and (${versions} is null or ${product_accesses.version} in (select value from json_each(${versions})))
    and (${sql.join(differ, sql` or `)})`
}

/** Sent before the change itself, so that the values before are still there to be kept. */
function insertEvent(orm: DrizzleD1Database, change: Change) {
  // VALUES, not UNION: D1 allows five terms of a compound SELECT.
  const compared = change.fields.map(({ column, to }) => sql`(${column.name}, ${column}, ${to})`)
  const columns = eventColumns({
    type: change.type,
    store_id: sql`${product_accesses.store_id}`,
    user_id: sql`${product_accesses.user_id}`,
    product_id: sql`${product_accesses.product_id}`,
    product_access_id: sql`${product_accesses.id}`,
    changes: sql`(with compared(field, old, new) as (values ${sql.join(compared, sql`, `)})
      select json_group_object(field, json_object('from', old, 'to', new)) from compared where old is not new)`,
    cause: change.values,
  })
  return orm.insert(events).select(sql`select ${columns} from ${product_accesses} where ${guard(change)}`)
}

function applyChange(orm: DrizzleD1Database, change: Change) {
  const set = Object.fromEntries(change.fields.map(({ column, to }) => [column.name, to]))
  const { request_id } = change.values
  return orm
    .update(product_accesses)
    .set({ ...set, version: sql`${product_accesses.version} + 1`, request_id: sql`${request_id}` })
    .where(guard(change))
}

const UPDATE: Change = {
  type: 'product_access.updated',
  fields: [
    {
      column: product_accesses.status,
      to: sql`coalesce(${sql.placeholder('status')}, ${product_accesses.status})`,
    },
    {
      column: product_accesses.access_due_date,
      to: sql`iif(${sql.placeholder('sets_due_date')}, ${sql.placeholder('access_due_date')},
        ${product_accesses.access_due_date})`,
    },
  ],
  values: PLACEHOLDERS,
}

const insertUpdated = statement((orm) => insertEvent(orm, UPDATE))
const updateAccess = statement((orm) => applyChange(orm, UPDATE))

interface ChangeInput extends AccessId {
  /** The versions of which the access must have one; undefined for any. */
  versions: number[] | undefined
  cause: Cause
}

interface AccessUpdate extends ChangeInput {
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch; null removes the limit, undefined keeps it. */
  access_due_date?: number | null | undefined
}

/** The record afterwards, and whether this request has changed it. */
export interface ChangeResult {
  row: ProductAccessRecord
  isChange: boolean
}

/** Changes what is given, in one round trip. Throws `not_found` and `etag_mismatch`. */
export function updateProductAccess(db: Db, input: AccessUpdate): Promise<ChangeResult> {
  const { status, access_due_date } = input
  if (status === undefined && access_due_date === undefined) return sendChange(db, input, [])
  const values = {
    ...valuesOf(input),
    status: status ?? null,
    sets_due_date: access_due_date === undefined ? 0 : 1,
    access_due_date: access_due_date ?? null,
  }
  return sendChange(db, input, [insertUpdated(db, values), updateAccess(db, values)])
}

const PROGRESS_FIELDS = [
  'started_at',
  'completed_at',
  'progress',
  'grade',
  'concept_grade',
  'passed',
  'certificate_url',
] as const

/** What is undefined keeps its value. */
type Progress = { [Field in (typeof PROGRESS_FIELDS)[number]]?: ProductAccess[Field] | undefined }

/** What the learning platform reports about the learner. Throws `not_found` and `etag_mismatch`. */
export function recordProgress(db: Db, input: ChangeInput & { progress: Progress }): Promise<ChangeResult> {
  const given = PROGRESS_FIELDS.filter((field) => input.progress[field] !== undefined)
  if (given.length === 0) return sendChange(db, input, [])
  const change: Change = {
    type: 'product_access.progressed',
    fields: given.map((field) => ({ column: product_accesses[field], to: sql`${input.progress[field]}` })),
    values: valuesOf(input),
  }
  return sendChange(db, input, [query(insertEvent(db.orm, change)), query(applyChange(db.orm, change))])
}

function valuesOf({ store_id, id, versions, cause }: ChangeInput) {
  return {
    ...causeValues(cause),
    store_id,
    id: id ?? null,
    versions: versions === undefined ? null : JSON.stringify(versions),
  }
}

async function sendChange(db: Db, input: ChangeInput, change: Bound<unknown>[]): Promise<ChangeResult> {
  const { id, cause, versions } = input
  if (id === undefined) throw new ApiError('not_found')
  const writes = [...change, ...noteUse(db, cause)]
  const [[row]] = await run(db, [findProductAccess(db, input)], { writes, retry: true })
  if (!row) throw new ApiError('not_found')
  const isChange = row.request_id === cause.request_id
  if (!isChange && versions && !versions.includes(row.version)) throw new ApiError('etag_mismatch')
  return { row, isChange }
}
