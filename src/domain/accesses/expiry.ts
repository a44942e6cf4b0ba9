/**
 * Announces that accesses expire: `product_access.expiring` some days before the due date, `product_access.expired` once
 * it has passed, each once for a due date. The batch that inserts such an event also sets a column of the access
 * (`notified_at`, `expired_at`), and a run looks for accesses whose column is null. So what an outage missed is announced
 * late, and a batch that is sent again continues with the accesses that are left.
 */
import { and, asc, eq, gt, isNotNull, isNull, lt, lte, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { attemptParams, batch, type Db } from '../../db/batch.ts'
import { isOfStore, storeIn } from '../../db/ids.ts'
import { events, product_accesses, stores, webhook_endpoints } from '../../db/schema.ts'
import { columnsOf, orm, statement } from '../../db/statement.ts'
import { DAY_MS, EXPIRY } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { newestEventOf } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { isNotified } from '../webhooks/endpoint-state.ts'

/** A run of the job. Its id takes the place of a request's. */
interface Run {
  run_id: string
  now: number
}

interface Announced {
  expiring: number
  expired: number
}

/**
 * Inserts the events that are due, and notes the webhook endpoints to notify. A run ends after a number of chunks; the
 * next one continues.
 */
export async function announceExpiries(db: Db, run: Run): Promise<Announced> {
  const expiring = await announceInChunks(db, run, expiringSteps)
  // An access must not be announced as expired before it was announced to expire.
  if (!expiring.isDone) return { expiring: expiring.count, expired: 0 }
  const expired = await announceInChunks(db, run, expiredSteps)
  return { expiring: expiring.count, expired: expired.count }
}

async function announceInChunks(db: Db, { run_id, now }: Run, steps: ReturnType<typeof announcementOf>) {
  let count = 0
  for (let chunk = 0; chunk < EXPIRY.maxChunks; chunk++) {
    const { found } = await batch(db, steps, { retry: 'idempotent', shared: { request_id: run_id, now } })
    const [announced = { count: 0, endpoints: '[]' }] = found
    for (const id of JSON.parse(announced.endpoints)) db.endpointsToNotify.add(id)
    count += announced.count
    if (announced.count < EXPIRY.chunk) return { count, isDone: true }
  }
  return { count, isDone: false }
}

const { id, store, user_id, product_id, event_id, status, access_due_date, notified_at, expired_at } = product_accesses

const candidate = { id, store, user_id, product_id, event_id }

/** The index of accesses to announce is used only by a query with each of these conditions. */
const hasDueDate = and(eq(status, 'with_access'), isNotNull(access_due_date))

/** Each store has its own notice period, so its accesses are searched store by store. */
const expiringAccesses = orm
  .select(candidate)
  .from(stores)
  .crossJoin(product_accesses)
  .where(
    and(
      gt(stores.expiry_notice_days, 0),
      eq(store, storeIn(stores.id)),
      lte(access_due_date, sql`${contextParams.now} + ${stores.expiry_notice_days} * ${DAY_MS}`),
      hasDueDate,
      isNull(notified_at),
    ),
  )
  .limit(EXPIRY.chunk)
  .as('candidates')

const expiredAccesses = orm
  .select(candidate)
  .from(product_accesses)
  .where(and(hasDueDate, isNull(expired_at), lt(access_due_date, contextParams.now)))
  .orderBy(asc(access_due_date), asc(id))
  .limit(EXPIRY.chunk)
  .as('candidates')

interface Announcement {
  type: EventType
  /** The accesses to announce, up to a chunk, of any stores. */
  candidates: typeof expiredAccesses
  /** The columns that record that the event was inserted. */
  set: { readonly [Column in 'notified_at' | 'expired_at']?: SQL }
}

/** The candidates, each with its position among those of its store: the order of their events. */
function chunkOf(candidates: typeof expiredAccesses) {
  return orm
    .select({
      id: candidates.id,
      store: candidates.store,
      user_id: candidates.user_id,
      product_id: candidates.product_id,
      event_id: candidates.event_id,
      position: sql<number>`row_number() over (partition by ${candidates.store} order by ${candidates.id})`.as(
        'position',
      ),
      count_of_store: sql<number>`count(*) over (partition by ${candidates.store})`.as('count_of_store'),
    })
    .from(candidates)
    .as('chunk')
}

/** The number of accesses in the chunk, and the webhook endpoints of their stores. */
function selectFound(chunk: ReturnType<typeof chunkOf>) {
  const storesOfChunk = orm.selectDistinct({ store: chunk.store }).from(chunk).as('stores_of_chunk')
  const endpointsToNotify = orm
    .select({ ids: sql`json_group_array(${webhook_endpoints.id})` })
    .from(storesOfChunk)
    .innerJoin(webhook_endpoints, isOfStore(webhook_endpoints.id, storesOfChunk.store))
    .where(isNotified)
  return orm
    .select({ count: sql<number>`count(*)`.as('count'), endpoints: sql<string>`${endpointsToNotify}`.as('endpoints') })
    .from(chunk)
}

/** Three statements: count the accesses of a chunk, insert their events, and update them. */
function announcementOf({ type, candidates, set }: Announcement) {
  const chunk = chunkOf(candidates)
  const newest = newestEventOf(chunk.store)
  const request_id = sql`${contextParams.request_id} || '/' || ${chunk.id}`

  const countFound = statement({}, () => selectFound(chunk))

  const insertEvents = statement({}, () =>
    orm.insert(events).select(
      orm
        .select(
          columnsOf(events, {
            id: sql`${newest} + ${chunk.position}`,
            type,
            created_at: contextParams.now,
            request_id,
            attempt: attemptParams.attempt,
            actor_id: null,
            subject_id: chunk.id,
            previous_id: chunk.event_id,
            user_id: chunk.user_id,
            product_id: chunk.product_id,
            data: null,
          }),
        )
        .from(chunk),
    ),
  )

  // The newest event of a store is now that of its last access in the chunk.
  const isEventOfThisAttempt = and(
    eq(events.id, sql`${newest} - ${chunk.count_of_store} + ${chunk.position}`),
    eq(events.request_id, request_id),
    eq(events.attempt, attemptParams.attempt),
  )
  const updateAccesses = statement({}, () =>
    orm
      .update(product_accesses)
      .set({ ...set, event_id: sql`${events.id}` })
      .from(chunk)
      .innerJoin(events, isEventOfThisAttempt)
      .where(eq(id, chunk.id)),
  )

  return { found: countFound({}), events: insertEvents({}), accesses: updateAccesses({}) }
}

const expiringSteps = announcementOf({
  type: 'product_access.expiring',
  candidates: expiringAccesses,
  set: { notified_at: contextParams.now },
})

/** This sets `notified_at`, too: an access that has expired is never announced to expire. */
const expiredSteps = announcementOf({
  type: 'product_access.expired',
  candidates: expiredAccesses,
  set: { expired_at: contextParams.now, notified_at: sql`coalesce(${notified_at}, ${contextParams.now})` },
})

/** The first value of `notified_at`: an access whose due date has passed when it is set is not announced to expire. */
export function notifiedAtFor(due: SQLWrapper): SQL<number | null> {
  return sql<number | null>`iif(${due} <= ${contextParams.now}, ${contextParams.now}, null)`
}

/**
 * `notified_at` and `expired_at` after an update. Both start again with a new due date, or when the access is given back
 * after its date.
 */
export function expiryColumnsAfter(after: { status: SQLWrapper; access_due_date: SQLWrapper }) {
  const due = after.access_due_date
  const moves = sql`${access_due_date} is not ${due}`
  const returns = sql`(${status} <> 'with_access' and ${after.status} = 'with_access')`
  return {
    notified_at: sql`iif(${moves} or (${returns} and ${due} <= ${contextParams.now}), ${notifiedAtFor(due)}, ${notified_at})`,
    expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`,
  }
}
