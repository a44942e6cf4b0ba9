/**
 * Creates a bulk change that takes back what another one has changed. It walks through the events of the first one, which
 * are between the two with which that one began and ended, and which have the values before and after.
 */
import { and, eq, exists, isNull, notExists, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams, type Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { permittedStore } from '../../change/event.ts'
import { contextParams, storeOfRequest, type RequestContext, rule } from '../../change/request.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import { bulkCreationOf, hasTooMany } from './insert-bulk-change.ts'
import type { BulkChangeRecord } from './read-bulk-changes.ts'

interface RevertInput {
  key: IdempotencyKey | undefined
  /** The number of the bulk change that is reverted. */
  number: number
}

/** Throws `idempotency_key_reused`, `not_found`, `not_done` and `too_many_to_revert`. */
export function revertBulkChange(
  db: Db,
  context: RequestContext,
  { key, number }: RevertInput,
): Promise<Created<BulkChangeRecord>> {
  return createRevert(db, context, { reverted: number }, { key })
}

const revertParams = params('reverted')

const first = alias(bulk_changes, 'first')

/** The events of a store are purged from the oldest on: if this one is kept, so are those of the accesses. */
const createdEvent = () => orm.select({ id: events.id }).from(events).where(eq(events.id, first.event_id))

/** One that was canceled or has failed may be repeated: it changes only what it has not reached yet. */
function isReverted() {
  const revert = alias(bulk_changes, 'revert')
  return exists(
    orm
      .select({ id: revert.id })
      .from(revert)
      .where(and(eq(revert.id, first.reverted_by), notInArray(revert.state, ['canceled', 'failed']))),
  )
}

const setRevertedBy = statement({}, () => {
  const revert = alias(bulk_changes, 'revert')
  return orm
    .update(bulk_changes)
    .set({ reverted_by: sql`${revert.id}` })
    .from(revert)
    .where(
      and(
        eq(revert.request_id, contextParams.request_id),
        eq(revert.attempt, attemptParams.attempt),
        eq(bulk_changes.id, revert.reverts),
      ),
    )
})

const createRevert = bulkCreationOf(
  revertParams,
  () => {
    // A dry run has no events, so there is nothing between its ends.
    const none = idIn(storeOfRequest, 0)
    const before = sql`coalesce(${first.event_id}, ${none})`
    return {
      joins: [[first, eq(first.id, idIn(permittedStore, revertParams.reverted))]],
      rules: [
        rule('not_found', isNull(first.id)),
        rule(
          'not_done',
          or(isNull(first.finished_at), isReverted(), and(eq(first.dry_run, 0), notExists(createdEvent()))),
        ),
        rule('too_many_to_revert', hasTooMany()),
      ],
      columns: {
        filter_product_id: null,
        filter_user_ids: null,
        filter_custom_field_key: null,
        filter_custom_field_value: null,
        filter_status: null,
        filter_in_force: null,
        filter_due_after: null,
        filter_due_before: null,
        change_status: null,
        change_sets_due_date: 0,
        change_access_due_date: null,
        change_extend_days: null,
        change_extend_months: null,
        change_never_shorten: 0,
        reverts: first.id,
        dry_run: sql`0`,
        starts_after: before,
        cursor: before,
        ends_at: sql`coalesce(${first.last_event_id}, ${none})`,
      },
    }
  },
  { reverted: setRevertedBy({}) },
)
