/**
 * Announces the ends of accesses: `product_access.expiring` some days before the due date, `product_access.expired` once
 * it has passed, each once for a due date. The batch that writes such an event also sets a column of the access
 * (`notified_at`, `expired_at`), and a run looks for accesses without it. So what an outage missed is announced late, and
 * a batch that is sent again goes on with the rest.
 */
import { type Placeholder, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { insertFrom, type Orm, type Params, statement } from '../../db/statement.ts'
import { isOfStore } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { events, product_accesses, stores, webhook_endpoints } from '../../db/schema.ts'
import { DAY_MS, EXPIRY } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { newestEvent } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { wakeLater } from '../webhooks/notify.ts'

interface Run {
  now: number
  run_id: string
}

interface Announcement {
  type: EventType
  /** The accesses that are to be announced. */
  candidates: (p: Params<Run>) => SQL
  /** The columns of an access that say that its event has been written. */
  marks: (p: Params<Run>) => Record<string, SQL | Placeholder>
}

/** The first of the accesses, each with its place among those of its store: so far behind the newest event lies its own. */
function chunkOf(candidates: SQL): SQL {
  return sql`(select id, store, user_id, product_id, event_id,
      row_number() over (partition by store order by id) as nth, count(*) over (partition by store) as of_store
    from (${candidates} limit ${literal(EXPIRY.chunk)})) c`
}

/** How many accesses are announced, and to which endpoints. */
function selectAnnounced(orm: Orm, chunk: SQL) {
  const endpoints = sql<string>`(select json_group_array(w.id) from (select distinct store from ${chunk}) c
    join ${webhook_endpoints} w on ${isOfStore(sql`w.id`, sql`c.store`)} where w.disabled_at is null)`
  return orm.select({ count: sql<number>`count(*)`.as('count'), endpoints: endpoints.as('endpoints') }).from(chunk)
}

/** The three statements that announce a chunk of accesses, whatever stores they are of. */
function announcementOf({ type, candidates, marks }: Announcement) {
  const chunk = (p: Params<Run>) => chunkOf(candidates(p))
  const newest = newestEvent(sql`c.store`)

  const countChunk = statement((p: Params<Run>, orm) => selectAnnounced(orm, chunk(p)))

  const insertEvents = statement((p: Params<Run>, orm) =>
    insertFrom(
      orm,
      events,
      {
        id: sql`${newest} + c.nth`,
        type,
        created_at: p.now,
        request_id: sql`${p.run_id} || '/' || c.id`,
        actor_id: null,
        subject_id: sql`c.id`,
        previous_id: sql`c.event_id`,
        user_id: sql`c.user_id`,
        product_id: sql`c.product_id`,
        data: null,
      },
      sql`from ${chunk(p)}`,
    ),
  )

  const updateAccesses = statement((p: Params<Run>, orm) =>
    orm
      .update(product_accesses)
      .set({ ...marks(p), event_id: sql`e.id` })
      .from(sql`${chunk(p)} join ${events} e on e.id = ${newest} - c.of_store + c.nth and e.subject_id = c.id`)
      .where(sql`${product_accesses.id} = c.id`),
  )

  return (run: Run) => ({ found: countChunk(run), events: insertEvents(run), accesses: updateAccesses(run) })
}

/** Each store has its own notice period, so its accesses are looked up by it. */
const announceExpiring = announcementOf({
  type: 'product_access.expiring',
  candidates: (p) => sql`select a.id, a.store, a.user_id, a.product_id, a.event_id
    from ${stores} s cross join ${product_accesses} a on a.store = s.id >> 32
      and a.access_due_date <= ${p.now} + s.expiry_notice_days * ${literal(DAY_MS)}
    where s.expiry_notice_days > 0
      and a.status = 'with_access' and a.access_due_date is not null and a.notified_at is null`,
  marks: (p) => ({ notified_at: p.now }),
})

/** Sets `notified_at`, too: an access that has ended is never announced to end soon. */
const announceExpired = announcementOf({
  type: 'product_access.expired',
  candidates: (p) => sql`select id, store, user_id, product_id, event_id from ${product_accesses}
    where status = 'with_access' and access_due_date is not null and expired_at is null and access_due_date < ${p.now}
    order by access_due_date, id`,
  marks: (p) => ({ expired_at: p.now, notified_at: sql`coalesce(${product_accesses.notified_at}, ${p.now})` }),
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
  const { status, access_due_date, notified_at, expired_at } = product_accesses
  const due = after.access_due_date
  const moves = sql`${access_due_date} is not ${due}`
  const returns = sql`(${status} <> 'with_access' and ${after.status} = 'with_access')`
  return {
    notified_at: sql`iif(${moves} or (${returns} and ${due} <= ${contextParams.now}), ${notifiedAtFor(due)}, ${notified_at})`,
    expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`,
  }
}

interface Announced {
  expiring: number
  expired: number
}

/**
 * Writes the events that are due, under the id of this run of the job, and notes the webhook endpoints to wake. A run
 * ends after so many chunks; the next one goes on.
 */
export async function announceExpiries(db: Db, now: number, runId: string): Promise<Announced> {
  const run = { now, run_id: runId }
  const expiring = await announceInChunks(db, announceExpiring(run))
  // An access must not be announced as expired before it was announced to expire.
  if (!expiring.isDone) return { expiring: expiring.count, expired: 0 }
  const expired = await announceInChunks(db, announceExpired(run))
  return { expiring: expiring.count, expired: expired.count }
}

async function announceInChunks(db: Db, steps: ReturnType<typeof announceExpired>) {
  let count = 0
  for (let chunk = 0; chunk < EXPIRY.maxChunks; chunk++) {
    const { found } = await batch(db, steps, { retry: 'done twice is done once' })
    const [announced = { count: 0, endpoints: '[]' }] = found
    wakeLater(db, JSON.parse(announced.endpoints))
    count += announced.count
    if (announced.count < EXPIRY.chunk) return { count, isDone: true }
  }
  return { count, isDone: false }
}
