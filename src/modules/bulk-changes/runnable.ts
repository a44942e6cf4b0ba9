/** The state of a bulk change after a step of a job, and what that step needs besides it. */
import { and, asc, eq, isNull, or, sql, type SQLWrapper } from 'drizzle-orm'
import { storeIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { named, orm, params, type RowOf, statement, withJoins } from '../../db/statement.ts'
import { selectEndpointsToWake } from '../../change/commit.ts'
import { bulkChangeColumns, firstInLine, joinsOfBulkChange } from './read-bulk-changes.ts'

export const idParams = params('bulk_change_id')

/** The bulk change, the one of its store whose turn it is, and the webhook endpoints of the store. */
export const selectStatus = statement(idParams, () => {
  return selectOfStore(storeIn(idParams.bulk_change_id)).where(eq(bulk_changes.id, idParams.bulk_change_id))
})

function selectOfStore(store: SQLWrapper) {
  const fields = named({
    ...bulkChangeColumns(),
    first_in_line: firstInLine(store),
    endpoints: sql<string>`${selectEndpointsToWake(store)}`,
  })
  return withJoins(orm.select(fields).from(bulk_changes), ...joinsOfBulkChange())
}

const storeParams = params('store_number')

/** The same for each bulk change that may run now. */
export const selectRunnable = statement(storeParams, () => {
  const { store_number } = storeParams
  const mayRun = or(eq(bulk_changes.dry_run, 1), eq(bulk_changes.id, firstInLine(store_number)))
  return selectOfStore(store_number)
    .where(and(eq(bulk_changes.store, store_number), isNull(bulk_changes.finished_at), mayRun))
    .orderBy(asc(bulk_changes.position))
})

export type BulkChangeStatus = RowOf<typeof selectStatus>

/** The state that a batch has selected. Bulk changes are never deleted. */
export function requireStatus([status]: BulkChangeStatus[]): BulkChangeStatus {
  if (status === undefined) throw new Error('a bulk change has vanished')
  return status
}

/** A run of the store's object or of the every-minute job. Its id takes the place of a request's. */
export interface Run {
  run_id: string
  now: number
}
