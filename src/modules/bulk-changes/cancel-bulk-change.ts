/**
 * Cancels a bulk change. One batch: end it, insert the event `bulk_change.canceled` unless it is a dry run, and select the
 * outcome. The row has the request that canceled it, so a batch that is sent again finds what it has done. D1 has one
 * writer: a chunk comes before, and counts, or after, and does nothing.
 */
import { eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { orm, params, statement, withJoins } from '../../db/statement.ts'
import { selectRequestWithEarlierAttempts, superseded } from '../../change/event.ts'
import {
  authorization,
  contextParams,
  noneHolds,
  storeOfRequest,
  type RequestContext,
  type RequestFields,
  rule,
} from '../../change/request.ts'
import { commit, requireRecord, resultOf } from '../../change/commit.ts'
import { type BulkChangeRecord, joinsOfBulkChange, shownBulkChangeColumns } from './read-bulk-changes.ts'
import { endEventOf, setLastEvent } from './end-events.ts'

const cancelParams = params('number')

/** The bulk change before it is canceled, under a name of its own: the statements below change and select it again. */
const target = alias(bulk_changes, 'target')

const rules = () => [
  rule('applied', eq(target.canceled_by, contextParams.request_id)),
  superseded,
  ...authorization,
  rule('not_found', isNull(target.id)),
  rule('not_running', isNotNull(target.finished_at)),
]

function selectRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(selectRequestWithEarlierAttempts(fields), [
    target,
    eq(target.id, idIn(storeOfRequest, cancelParams.number)),
  ])
}

const endBulkChange = statement(cancelParams, () =>
  orm
    .update(bulk_changes)
    .set({ state: 'canceled', finished_at: contextParams.now, canceled_by: contextParams.request_id })
    .where(inArray(bulk_changes.id, selectRequest({ id: target.id }).where(noneHolds(rules())))),
)

const insertCanceledEvent = statement(cancelParams, () => {
  const id = idIn(contextParams.store, cancelParams.number)
  const when = eq(bulk_changes.canceled_by, contextParams.request_id)
  const event = endEventOf(id, { type: 'bulk_change.canceled', actor: contextParams.caller, when })
  return orm.insert(events).select(event)
})

const selectResult = statement(cancelParams, () =>
  withJoins(
    selectRequest({ ...resultOf(rules()), ...shownBulkChangeColumns() }),
    [bulk_changes, eq(bulk_changes.id, target.id)],
    ...joinsOfBulkChange(),
  ),
)

/** Throws `not_found` and `not_running`. */
export async function cancelBulkChange(db: Db, context: RequestContext, number: number): Promise<BulkChangeRecord> {
  const values = { number }
  const steps = {
    bulkChange: endBulkChange(values),
    event: insertCanceledEvent(values),
    last_event: setLastEvent({}),
    result: selectResult(values),
  }
  const { result } = await commit(db, context, steps)
  return requireRecord<BulkChangeRecord>(result)
}
