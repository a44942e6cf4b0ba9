/**
 * One step of a bulk change. It is one batch, which the database runs as one transaction:
 *   1. cancel the bulk change if its token was revoked, or its store suspended
 *   2. insert an event for each access that the chunk reaches and that changes
 *   3. move the cursor, and add to the counts
 *   4. change the accesses as their events say
 *   5. if the bulk change has ended, insert the event `bulk_change.finished` or `bulk_change.canceled`
 *   6. select the bulk change as it is now
 * Steps 2 and 3 do nothing once it has ended, or if the cursor is not where the caller has seen it, so a chunk that is sent
 * twice is processed once. Step 4 applies an event only if nothing has happened to the access since, and step 5 inserts its
 * event only if there is none yet.
 */
import { and, asc, between, count, eq, isNotNull, isNull, lt, max, type SQL, sql, sum } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { storeIn } from '../../db/ids.ts'
import { bulk_changes, product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { named, orm, statement } from '../../db/statement.ts'
import { BULK } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { isNotOpen, isOpen } from '../accesses/access-record.ts'
import { expiryColumnsAfter } from '../accesses/expiry.ts'
import { contextParams, serviceContext } from '../../change/request.ts'
import { eventColumns, newestEventOf } from '../../change/event.ts'
import { changesJson } from '../../change/record-fields.ts'
import { type BulkChangeRecord, type Effect, EFFECTS } from './read-bulk-changes.ts'
import { cancelOrphaned } from './end-stopped.ts'
import { insertEndEvent, setLastEvent } from './end-events.ts'
import {
  accessRequestId,
  chunkParams,
  mayProcess,
  type Reached,
  selectReached,
  type Walk,
  walkOf,
} from './reached-accesses.ts'
import { type BulkChangeStatus, idParams, requireStatus, type Run, selectRunnable, selectStatus } from './runnable.ts'

/** The bulk changes of the store that may run now: the first in line, and the dry runs, which do not wait. */
export async function listRunnable(db: Db, store: number): Promise<BulkChangeStatus[]> {
  const { rows } = await batch(db, { rows: selectRunnable({ store_number: store }) }, { retry: 'only reads' })
  return rows
}

/** The bulk change after the next chunk. Nothing has changed if it is not its turn, or another run has moved the cursor. */
export async function processChunk(db: Db, bulkChange: BulkChangeRecord, run: Run): Promise<BulkChangeStatus> {
  const isDryRun = bulkChange.dry_run === 1
  const id = { bulk_change_id: bulkChange.id }
  const chunk = { ...id, expected_cursor: bulkChange.cursor, size: isDryRun ? BULK.dryRunChunk : BULK.chunk }
  const { insertEvents, moveCursor } = chunks[walkOf(bulkChange)]
  const { status } = await batch(
    db,
    {
      orphaned: cancelOrphaned(id),
      events: isDryRun ? undefined : insertEvents(chunk),
      cursor: moveCursor(chunk),
      accesses: isDryRun ? undefined : applyEvents(id),
      end_event: insertEndEvent(id),
      last_event: setLastEvent({}),
      status: selectStatus(id),
    },
    // If the batch is sent again, it finds the cursor moved by its own run.
    { retry: 'idempotent', shared: serviceContext(bulkChange.id, run.now, run.run_id) },
  )
  return requireStatus(status)
}

function chunkOf(walk: Walk) {
  return { insertEvents: insertEventsOf(walk), moveCursor: moveCursorOf(walk) }
}

function insertEventsOf(walk: Walk) {
  return statement(chunkParams, () => {
    const reached = selectReached(walk)
    const differences = [
      { field: 'status', from: reached.status, to: reached.new_status },
      { field: 'access_due_date', from: reached.access_due_date, to: reached.new_due_date },
    ].map(({ field, from, to }) => ({ field, from: sql`${from}`, to: sql`${to}` }))
    const set = sql`json_object('status', ${reached.new_status}, 'access_due_date', ${reached.new_due_date})`
    const preceding = sql`row_number() over (order by ${reached.position})`
    return orm.insert(events).select(
      orm
        .select(
          eventColumns({
            id: sql`${newestEventOf(storeIn(chunkParams.bulk_change_id))} + ${preceding}`,
            type: 'product_access.updated',
            request_id: accessRequestId(sql`${reached.request_id}`, sql`${reached.access_id}`),
            actor_id: reached.actor_id,
            subject_id: reached.access_id,
            previous_id: reached.previous_id,
            user_id: reached.user_id,
            product_id: reached.product_id,
            // `set` has both values, so that a revert can tell whether somebody has changed the other one since.
            data: sql`json_set(${changesJson(differences)}, '$.bulk_change_id', ${reached.bulk_number}, '$.set', ${set})`,
          }),
        )
        .from(reached)
        .where(eq(reached.changes, 1))
        .orderBy(asc(reached.position)),
    )
  })
}

/** How many accesses each effect has. A status or a date that stays has none. */
function effectsOf({ changes, status, new_status, access_due_date: due, new_due_date: newDue }: Reached) {
  const countIf = (effect: SQL | undefined) => sql<number | null>`sum(${changes} and (${effect}) is true)`
  return {
    opened: countIf(and(isNotOpen(status), isOpen(new_status))),
    closed: countIf(and(isOpen(status), isNotOpen(new_status))),
    later: countIf(sql`${newDue} > ${due}`),
    earlier: countIf(sql`${newDue} < ${due}`),
    limited: countIf(and(isNull(due), isNotNull(newDue))),
    unlimited: countIf(and(isNotNull(due), isNull(newDue))),
  } satisfies Record<Effect, SQL>
}

function moveCursorOf(walk: Walk) {
  return statement(chunkParams, () => {
    const reached = selectReached(walk)
    const moved = orm
      .select(
        named({
          reached: count(),
          last: max(reached.position),
          matches: sum(reached.matches),
          changes: sum(reached.changes),
          ...effectsOf(reached),
        }),
      )
      .from(reached)
      .as('moved')
    const isEnd = lt(moved.reached, chunkParams.size)
    return orm
      .update(bulk_changes)
      .set({
        cursor: sql`iif(${isEnd}, ${bulk_changes.ends_at}, ${moved.last})`,
        matched: sql`${bulk_changes.matched} + coalesce(${moved.matches}, 0)`,
        changed: sql`${bulk_changes.changed} + coalesce(${moved.changes}, 0)`,
        // Drizzle writes `moved.opened` as `opened`, which is a column of the bulk change as well.
        ...ofEach(EFFECTS, (effect) => sql`${bulk_changes[effect]} + coalesce(moved.${sql.raw(effect)}, 0)`),
        state: sql`iif(${isEnd}, 'done', 'running')`,
        started_at: sql`coalesce(${bulk_changes.started_at}, ${contextParams.now})`,
        progressed_at: contextParams.now,
        finished_at: sql`iif(${isEnd}, ${contextParams.now}, null)`,
        run_id: contextParams.request_id,
      })
      .from(moved)
      .where(mayProcess(bulk_changes))
  })
}

const chunks = {
  store: chunkOf('store'),
  product: chunkOf('product'),
  users: chunkOf('users'),
  revert: chunkOf('revert'),
}

/**
 * Applies an event only while the event before it is still the newest of the access. Without this condition, a batch that is
 * sent twice would apply it again and overwrite what was changed in between.
 */
const applyEvents = statement(idParams, () => {
  const newest = newestEventOf(storeIn(idParams.bulk_change_id))
  const newValues = {
    status: sql`${events.data} ->> '$.set.status'`,
    access_due_date: sql`${events.data} ->> '$.set.access_due_date'`,
  }
  return orm
    .update(product_accesses)
    .set({ ...newValues, ...expiryColumnsAfter(newValues), event_id: sql`${events.id}`, changed_by: sql`${events.id}` })
    .from(bulk_changes)
    .innerJoin(events, between(events.id, sql`${newest} - ${BULK.chunk} + 1`, newest))
    .where(
      and(
        eq(bulk_changes.id, idParams.bulk_change_id),
        eq(events.request_id, accessRequestId(bulk_changes.request_id, events.subject_id)),
        eq(product_accesses.id, events.subject_id),
        eq(product_accesses.event_id, events.previous_id),
      ),
    )
})
