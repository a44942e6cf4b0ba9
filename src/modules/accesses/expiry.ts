/**
 * Announces that accesses expire: `product_access.expiring` some days before the due date, `product_access.expired` once
 * it has passed, each once for a due date. The batch that inserts such an event also sets a column of the access
 * (`notified_at`, `expired_at`), and a run looks for accesses whose column is null. So what an outage missed is announced
 * late, and a batch that is sent again continues with the accesses that are left.
 *
 * A batch takes the same number of accesses from each of its stores (src/jobs/rounds.ts).
 */
import { and, eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { attemptParams, batch, type Db } from '../../db/batch.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { orm, statement, type ValuesOf } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { EXPIRY } from './limits.ts'
import { contextParams } from '../../change/request.ts'
import { idsIn } from '../../change/commit.ts'
import { eventColumns, newestEventOf } from '../../change/event.ts'
import type { EventType } from '../../change/event-types.ts'
import type { Positions } from '../../jobs/job-runs.ts'
import { workInRounds } from '../../jobs/rounds.ts'
import { candidatesOf, chunkOf, chunkParams, dueStores, isExpired, isExpiring, selectFound } from './due-accesses.ts'
import { isNotOpen, isOpen } from './access-record.ts'

/** A run of the job. Its id is the request id of its events. */
interface Run {
  run_id: string
  now: number
  /** Where the previous run stopped. */
  positions?: Positions
}

interface Announced {
  expiring: number
  expired: number
  /** The webhook endpoints to wake. */
  endpoints: number[]
  /** Where the next run continues: for each event, the last store that had its share. */
  positions: Positions
  /** The first error of a store that could not be processed. */
  error?: unknown
}

/**
 * Inserts the events that are due. A run ends after a number of chunks, or some time, for each of the two events; the
 * next one continues. Expiries come first: an access whose date has passed is no longer announced to expire.
 */
export async function announceExpiries(db: Db, run: Run): Promise<Announced> {
  const expired = await announceInRounds(db, run, 'expired')
  const expiring = await announceInRounds(db, run, 'expiring')
  return {
    expiring: expiring.count,
    expired: expired.count,
    endpoints: [...expired.endpoints, ...expiring.endpoints],
    positions: { expiring: expiring.last, expired: expired.last },
    error: expired.error ?? expiring.error,
  }
}

type Kind = 'expiring' | 'expired'

async function announceInRounds(db: Db, { run_id, now, positions = {} }: Run, kind: Kind) {
  const { selectDueStores, steps } = announcements[kind]
  let count = 0
  const toWake = new Set<number>()
  const progress = await workInRounds(Number(positions[kind] ?? 0), {
    failureCode: 'expiry_failed',
    limits: EXPIRY,
    find: async (after_store) => {
      const { due } = await batch(
        db,
        { due: selectDueStores({ after_store }) },
        { retry: 'only reads', shared: { now } },
      )
      return due
    },
    work: async (due) => {
      const values = {
        due_stores: JSON.stringify(due.map(({ store }) => store)),
        share: Math.floor(EXPIRY.chunk / due.length),
      }
      const { found } = await batch(db, steps(values), { retry: 'idempotent', shared: { request_id: run_id, now } })
      for (const { count: added, endpoints } of found) {
        for (const id of idsIn(endpoints)) toWake.add(id)
        count += added
      }
    },
  })
  return { count, endpoints: [...toWake], ...progress }
}

const { status, access_due_date, notified_at, expired_at } = product_accesses

interface Announcement {
  type: EventType
  /** The accesses of a store to announce, as a condition on `due` and the row of the store. */
  isDue: () => SQL | undefined
  /** The columns that record that the event was inserted. */
  set: { readonly [Column in 'notified_at' | 'expired_at']?: SQL }
}

/** Selects the stores with accesses to announce. The steps count the accesses of a chunk, insert their events, and update them. */
function announcementOf({ type, isDue, set }: Announcement) {
  const selectDueStores = dueStores(isDue)
  const queries = lazy(() => {
    const chunk = chunkOf(candidatesOf(isDue))
    const request_id = sql`${contextParams.request_id} || '/' || ${chunk.id}`
    return { chunk, request_id, newest: newestEventOf(chunk.store) }
  })

  const countFound = statement(chunkParams, () => selectFound(queries().chunk))

  const insertEvents = statement(chunkParams, () => {
    const { chunk, request_id, newest } = queries()
    return orm.insert(events).select(
      orm
        .select(
          eventColumns({
            id: sql`${newest} + ${chunk.position}`,
            type,
            request_id,
            actor_id: null,
            subject_id: chunk.id,
            previous_id: chunk.event_id,
            user_id: chunk.user_id,
            product_id: chunk.product_id,
          }),
        )
        .from(chunk),
    )
  })

  const updateAccesses = statement(chunkParams, () => {
    const { chunk, request_id, newest } = queries()
    // The newest event of a store is now that of its last access in the chunk.
    const isEventOfThisAttempt = and(
      eq(events.id, sql`${newest} - ${chunk.count_of_store} + ${chunk.position}`),
      eq(events.request_id, request_id),
      eq(events.attempt, attemptParams.attempt),
    )
    return orm
      .update(product_accesses)
      .set({ ...set, event_id: sql`${events.id}` })
      .from(chunk)
      .innerJoin(events, isEventOfThisAttempt)
      .where(eq(product_accesses.id, chunk.id))
  })

  const steps = (values: ValuesOf<typeof chunkParams>) => ({
    found: countFound(values),
    events: insertEvents(values),
    accesses: updateAccesses(values),
  })
  return { selectDueStores, steps }
}

const announcements = {
  expiring: announcementOf({
    type: 'product_access.expiring',
    isDue: isExpiring,
    set: { notified_at: contextParams.now },
  }),
  /** This sets `notified_at`, too: an access that has expired is never announced to expire. */
  expired: announcementOf({
    type: 'product_access.expired',
    isDue: isExpired,
    set: { expired_at: contextParams.now, notified_at: sql`coalesce(${notified_at}, ${contextParams.now})` },
  }),
}

/** The first value of `notified_at`: an access whose due date has passed when it is set is not announced to expire. */
export function notifiedAtFor(due: SQLWrapper): SQL<number | null> {
  return sql<number | null>`iif(${due} <= ${contextParams.now}, ${contextParams.now}, null)`
}

/**
 * `notified_at` and `expired_at` after an update. Both start again with a new due date, or when the access is given back
 * after its date.
 */
export function expiryColumnsAfter(newValues: { status: SQLWrapper; access_due_date: SQLWrapper }) {
  const due = newValues.access_due_date
  const moves = sql`${access_due_date} is not ${due}`
  const returns = sql`(${isNotOpen(status)} and ${isOpen(newValues.status)})`
  return {
    notified_at: sql`iif(${moves} or (${returns} and ${due} <= ${contextParams.now}), ${notifiedAtFor(due)}, ${notified_at})`,
    expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`,
  }
}
