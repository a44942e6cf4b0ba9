/** The state of a bulk change after a step of a job, and what that step needs besides it. */
import { eq, sql } from 'drizzle-orm'
import { storeIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { endpointsToNotify } from '../webhooks/endpoints-to-notify.ts'
import { bulkChangeColumns, firstInLine, joinActor } from './bulk-changes.ts'

export const idParams = params('bulk_change_id')

/** The bulk change, the one of its store whose turn it is, and the webhook endpoints of the store. */
export const selectStatus = statement(idParams, () => {
  const store = storeIn(idParams.bulk_change_id)
  const fields = named({
    ...bulkChangeColumns(),
    first_in_line: firstInLine(store),
    endpoints: sql<string>`${endpointsToNotify(store)}`,
  })
  return joinActor(orm.select(fields).from(bulk_changes)).where(eq(bulk_changes.id, idParams.bulk_change_id))
})

export type BulkChangeStatus = RowOf<typeof selectStatus>

/** A run of a consumer or of the minutely job. Its id takes the place of a request's. */
export interface Run {
  run_id: string
  now: number
}
