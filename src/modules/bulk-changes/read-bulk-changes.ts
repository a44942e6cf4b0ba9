/** Bulk changes as they are read: one, a page, and the columns that every result of a change of them has. */
import { and, eq, exists, getTableColumns, isNull, min, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, storeIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { access_tokens } from '../../db/schema/stores.ts'
import { type Join, orm, params, type RowOf, statement, withJoins, hasWord } from '../../db/statement.ts'
import { contextParams, type RequestContext, storeNumber } from '../../change/request.ts'
import { readOne } from '../../change/commit.ts'
import { listOf } from '../../change/pages.ts'

export const BULK_CHANGE_STATES = bulk_changes.state.enumValues

/** What a change does to an access; each is a column that counts the accesses. */
export const EFFECTS = ['opened', 'closed', 'later', 'earlier', 'limited', 'unlimited'] as const

export type Effect = (typeof EFFECTS)[number]

/** What stands for a value that the caller may not see. */
const REDACTED = '[redacted]'

/** Who created the bulk change; the root has no row. */
const actor = alias(access_tokens, 'actor')

/** To be selected from `bulk_changes` with `joinsOfBulkChange`. */
export function bulkChangeColumns() {
  return { ...getTableColumns(bulk_changes), actor_name: sql<string | null>`${actor.name}`.as('actor_name') }
}

/** The caller who created the bulk change, to be joined to it. */
export function joinsOfBulkChange(): Join[] {
  return [[actor, eq(actor.id, bulk_changes.actor_id)]]
}

/**
 * The same as the caller may see it. What users have in a custom field may be a tax number: it is for those who may read
 * users, as the filter is.
 */
export function shownBulkChangeColumns() {
  const value = bulk_changes.filter_custom_field_value
  const shown = sql<string | null>`iif(${value} is null or ${mayReadUsers()}, ${value}, ${sql.raw(`'${REDACTED}'`)})`
  return { ...bulkChangeColumns(), filter_custom_field_value: shown.as('filter_custom_field_value') }
}

function mayReadUsers(): SQL | undefined {
  const reader = alias(access_tokens, 'reader')
  const withScope = orm
    .select({ id: reader.id })
    .from(reader)
    .where(and(eq(reader.id, contextParams.caller), hasWord(reader.scopes, sql`'users:read'`)))
  return or(eq(storeIn(contextParams.caller), sql`0`), exists(withScope))
}

function selectBulkChanges() {
  return withJoins(orm.select(shownBulkChangeColumns()).from(bulk_changes), ...joinsOfBulkChange())
}

const numberParams = params('number')

const selectBulkChange = statement(numberParams, () =>
  selectBulkChanges().where(eq(bulk_changes.id, idIn(storeNumber, numberParams.number))),
)

export type BulkChangeRecord = RowOf<typeof selectBulkChange>

/** Throws `not_found`. */
export function getBulkChange(db: Db, context: RequestContext, number: number): Promise<BulkChangeRecord> {
  return readOne(db, context, selectBulkChange({ number }))
}

export const listBulkChanges = listOf(
  bulk_changes,
  'position',
  ({ isOnPage, order, limit }) => selectBulkChanges().where(isOnPage).orderBy(order).limit(limit),
  'desc',
)

/**
 * The bulk change of a store that may run now: the oldest that has not ended. Dry runs neither wait nor hold up others.
 * `store` is an expression, not a column without its table.
 */
export function firstInLine(store: SQLWrapper): SQL<number | null> {
  const waiting = alias(bulk_changes, 'waiting')
  return sql<number | null>`${orm
    .select({ id: min(waiting.id) })
    .from(waiting)
    .where(and(eq(waiting.store, store), isNull(waiting.finished_at), eq(waiting.dry_run, 0)))}`
}
