/**
 * Tells that accesses end: `product_access.expiring` some days before their date, `.expired` once it has passed, each
 * once for a date. That it was told is a column of the access, set in the batch of the event: whatever is not set yet
 * is told by the next run, so what an outage missed is told late, and a batch that is sent again goes on with the rest.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { batch, type Db, insertFrom, type Params, statement } from '../db/batch.ts'
import { isIn } from '../db/ids.ts'
import { literal } from '../db/literal.ts'
import { events, product_accesses, stores, webhook_endpoints } from '../db/schema.ts'
import { DAY_MS, EXPIRY } from '../limits.ts'
import type { EventType } from './event-types.ts'

interface Run {
  now: number
  run_id: string
}

interface Announcement {
  type: EventType
  /** The accesses to tell of, in an order of their own. */
  candidates: (p: Params<Run>) => SQL
  /** The columns that tell that it was told. */
  told: (p: Params<Run>) => Record<string, SQL | Placeholder>
}

/** The three statements that tell of a chunk of accesses, whatever stores they are of. */
function announcementOf({ type, candidates, told }: Announcement) {
  /** Each access with its place among those of its store: so far behind the newest event lies its own. */
  const chunk = (p: Params<Run>) => sql`(select id, store, user_id, product_id, event_id,
      row_number() over (partition by store order by id) as nth, count(*) over (partition by store) as of_store
    from (${candidates(p)} limit ${literal(EXPIRY.chunk)})) c`
  const newest = sql`(select max(id) from ${events} where ${isIn(sql`id`, sql`c.store`)})`

  const tellChunk = statement((p: Params<Run>, orm) =>
    orm
      .select({
        count: sql<number>`count(*)`.as('count'),
        endpoints: sql<string>`(select json_group_array(w.id) from (select distinct store from ${chunk(p)}) c
          join ${webhook_endpoints} w on ${isIn(sql`w.id`, sql`c.store`)} where w.disabled_at is null)`.as('endpoints'),
      })
      .from(chunk(p)),
  )

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
      .set({ ...told(p), event_id: sql`e.id` })
      .from(sql`${chunk(p)} join ${events} e on e.id = ${newest} - c.of_store + c.nth and e.subject_id = c.id`)
      .where(sql`${product_accesses.id} = c.id`),
  )

  return (run: Run) => ({ told: tellChunk(run), events: insertEvents(run), accesses: updateAccesses(run) })
}

/** How long before the end differs by store, so that each store is asked for its own. */
const announceExpiring = announcementOf({
  type: 'product_access.expiring',
  candidates: (p) => sql`select a.id, a.store, a.user_id, a.product_id, a.event_id
    from ${stores} s cross join ${product_accesses} a on a.store = s.id >> 32
      and a.access_due_date <= ${p.now} + s.expiry_notice_days * ${literal(DAY_MS)}
    where s.expiry_notice_days > 0
      and a.status = 'with_access' and a.access_due_date is not null and a.notified_at is null`,
  told: (p) => ({ notified_at: p.now }),
})

/** An access that has ended is not told to end any more, whatever its store says of the days before. */
const announceExpired = announcementOf({
  type: 'product_access.expired',
  candidates: (p) => sql`select id, store, user_id, product_id, event_id from ${product_accesses}
    where status = 'with_access' and access_due_date is not null and expired_at is null and access_due_date < ${p.now}
    order by access_due_date, id`,
  told: (p) => ({ expired_at: p.now, notified_at: sql`coalesce(${product_accesses.notified_at}, ${p.now})` }),
})

/** What `notified_at` begins as: a date that has passed when it is set is not told to come. */
export function noticeOf(due: SQL, now: Placeholder): SQL {
  return sql`iif(${due} <= ${now}, ${now}, null)`
}

export interface Announced {
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
  // What is still to be told to expire must not be told to have expired before.
  if (!expiring.isDone) return { expiring: expiring.count, expired: 0 }
  const expired = await announceInChunks(db, announceExpired(run))
  return { expiring: expiring.count, expired: expired.count }
}

async function announceInChunks(db: Db, steps: ReturnType<typeof announceExpired>) {
  let count = 0
  for (let chunk = 0; chunk < EXPIRY.maxChunks; chunk++) {
    const { told } = await batch(db, steps, { retry: 'done twice is done once' })
    const [found = { count: 0, endpoints: '[]' }] = told
    const endpoints: number[] = JSON.parse(found.endpoints)
    for (const id of endpoints) db.endpointsToWake.add(id)
    count += found.count
    if (found.count < EXPIRY.chunk) return { count, isDone: true }
  }
  return { count, isDone: false }
}
