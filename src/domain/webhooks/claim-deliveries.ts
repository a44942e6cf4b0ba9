/**
 * What is to be delivered, and when, is kept in D1; the queue only wakes the consumer, so that a message that is lost,
 * late or doubled changes nothing. The events are the outbox: an endpoint's cursor tells how far they have become
 * deliveries. A delivery is leased before it is sent, for as long as an attempt can take; so nobody sends it at the
 * same time, what a killed process was sending is found again, and the leases that have not ended are the requests
 * that the endpoint has in flight.
 */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { insertFrom, type Params, type RowOf, statement } from '../../db/statement.ts'
import { isOfStore, numberIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { hasWord } from '../../db/words.ts'
import { WEBHOOK } from '../../limits.ts'
import { type EventRecord, selectEvents } from '../events/feed.ts'
import { type Ended, outcomeSteps, outcomeValues } from './outcomes.ts'

/** A delivery to be sent now. */
export interface Attempt {
  event: EventRecord
  lease: string
  /** Which attempt of this delivery it is, from 1. */
  number: number
  retries: number
}

interface Turn {
  /** Undefined when it is deleted or disabled. */
  endpoint: WebhookEndpoint | undefined
  attempts: Attempt[]
  /** There is more to do, and no attempt under way that would lead to it. */
  isToGoOn: boolean
  /** When the delivery whose attempt has ended is to be sent again, in milliseconds from now; undefined: not by itself. */
  retryAfterMs: number | undefined
  /** Other endpoints that there is something for. */
  others: number[]
}

interface TurnAsked {
  endpoint_id: number
  /** The attempt that has ended, if this turn follows one. */
  ended?: Ended | undefined
  /** Whether attempts may begin now, as far as there are slots. */
  mayBegin: boolean
}

/** Notes how an attempt has ended, and leases what the endpoint can be sent now: two turns at once get nothing in common. */
export async function takeTurn(db: Db, asked: TurnAsked): Promise<Turn> {
  const now = Date.now()
  const outcome = asked.ended && outcomeValues(asked.ended, now)
  const values = turnValues(asked, now)
  const answers = await batch(
    db,
    {
      ...outcomeSteps(outcome),
      due: leaseDue(values),
      fresh: leaseFresh(values),
      cursor: moveCursor(values),
      endpoint: selectEnabled(values),
      more: selectMore(values),
      leased: selectLeased(values),
      events: selectLeasedEvents(values),
    },
    { retry: 'done twice is done once' },
  )
  const { leased, others } = answers
  const [endpoint] = answers.endpoint
  const [more] = answers.more
  const byId = new Map(answers.events.map((event) => [event.id, event]))
  const isToRetry = outcome?.succeeded === 0 && outcome.is_last === 0 && endpoint !== undefined
  const hasEventsLeft = more?.is_behind === 1
  // Where attempts may begin, what is due and was not leased waits for a slot, and the attempt that has it leads on.
  const isLeftDue = more?.is_due === 1 && !asked.mayBegin
  return {
    endpoint,
    attempts: leased.flatMap((delivery) => toAttempt(delivery, byId.get(delivery.event_id), values.lease)),
    isToGoOn: leased.length === 0 && (hasEventsLeft || isLeftDue),
    retryAfterMs: isToRetry ? outcome.delay_ms : undefined,
    others: others.map(({ id }) => id),
  }
}

/** None for an event that has been purged since; its delivery goes the same way. */
function toAttempt({ attempts, retries }: RowOf<typeof selectLeased>, event: EventRecord | undefined, lease: string) {
  return event ? [{ event, lease, number: attempts + 1, retries }] : []
}

function turnValues({ endpoint_id, mayBegin }: TurnAsked, now: number) {
  return {
    endpoint_id,
    /** Of this turn. */
    lease: crypto.randomUUID(),
    now,
    lease_ends: now + WEBHOOK.leaseMs,
    may_begin: mayBegin ? 1 : 0,
  }
}

type P = Params<ReturnType<typeof turnValues>>

/** How many may be leased: as many of the endpoint's slots as nobody holds; one that struggles has one. */
function freeSlots(p: P): SQL {
  const inFlight = sql`(select count(*) from ${webhook_deliveries} f where f.endpoint_id = c.id and f.lease is not null
    and f.next_attempt_at > ${p.now})`
  return sql`coalesce((select max(0, iif(c.failures < ${WEBHOOK.strugglesAfter}, ${WEBHOOK.inFlight}, 1) - ${inFlight})
    from ${webhook_endpoints} c where c.id = ${p.endpoint_id} and c.disabled_at is null and ${p.may_begin}), 0)`
}

/** What waits and is due, with its columns `d`. */
function due(p: P): SQL {
  return sql`from ${webhook_deliveries} d where d.endpoint_id = ${p.endpoint_id} and d.lease is null
    and d.next_attempt_at <= ${p.now} + (select ahead_ms from ${webhook_endpoints} where id = ${p.endpoint_id})`
}

/** First what was leased by a process that is no more, then what waits, the longest first. */
const leaseDue = statement((p: P, orm) => {
  const { endpoint_id, event_id } = webhook_deliveries
  const lost = sql`select event_id from ${webhook_deliveries} l where l.endpoint_id = ${p.endpoint_id}
    and l.lease is not null and l.next_attempt_at <= ${p.now}`
  const waiting = sql`select event_id from (select d.event_id ${due(p)} order by d.next_attempt_at, d.event_id
    limit ${WEBHOOK.inFlight})`
  return orm
    .update(webhook_deliveries)
    .set({ lease: sql`${p.lease}`, next_attempt_at: sql`${p.lease_ends}` })
    .where(
      sql`${endpoint_id} = ${p.endpoint_id} and ${event_id} in
        (select event_id from (${lost} union all ${waiting}) limit ${freeSlots(p)})`,
    )
})

/** The events behind the endpoint's cursor `w`, up to the end of a window. */
function behindCursor(p: P): SQL {
  return sql`select n.id, n.type from ${webhook_endpoints} w join ${events} n
    on ${isOfStore(sql`n.id`, sql`(w.id >> 32)`, numberIn(sql`w.cursor`))}
    where w.id = ${p.endpoint_id} and w.disabled_at is null order by n.id limit ${WEBHOOK.window}`
}

/** Deliveries of the next events: leased at once as far as there are slots, else to wait for one. */
const leaseFresh = statement((p: P, orm) =>
  insertFrom(
    orm,
    webhook_deliveries,
    {
      endpoint_id: sql`w.id`,
      event_id: sql`e.id`,
      state: 'pending',
      attempts: 0,
      retries: 0,
      last_status: null,
      last_attempt_at: null,
      lease: sql`iif(e.place <= ${freeSlots(p)}, ${p.lease}, null)`,
      next_attempt_at: sql`iif(e.place <= ${freeSlots(p)}, ${p.lease_ends}, ${p.now} + w.ahead_ms)`,
    },
    sql`from ${webhook_endpoints} w join (select b.id, row_number() over (order by b.id) as place
        from (${behindCursor(p)}) b, ${webhook_endpoints} t where t.id = ${p.endpoint_id}
        and (t.types is null or ${hasWord(sql`t.types`, sql`b.type`)})) e
      where w.id = ${p.endpoint_id}`,
  ).onConflictDoNothing(),
)

const moveCursor = statement((p: P, orm) => {
  const last = sql`(select max(id) from (${behindCursor(p)}))`
  return orm
    .update(webhook_endpoints)
    .set({ cursor: last })
    .where(sql`${webhook_endpoints.id} = ${p.endpoint_id} and ${last} is not null`)
})

const selectEnabled = statement((p: P, orm) =>
  orm
    .select()
    .from(webhook_endpoints)
    .where(sql`id = ${p.endpoint_id} and disabled_at is null`),
)

/** Whether anything waits that is due, and whether there are events behind the cursor still. */
const selectMore = statement((p: P, orm) =>
  orm
    .select({
      is_due: sql<0 | 1>`exists (select 1 ${due(p)})`.as('is_due'),
      is_behind: sql<0 | 1>`exists (${behindCursor(p)})`.as('is_behind'),
    })
    .from(webhook_endpoints)
    .where(sql`${webhook_endpoints.id} = ${p.endpoint_id} and ${webhook_endpoints.disabled_at} is null`),
)

const selectLeased = statement((p: P, orm) => {
  const { event_id, attempts, retries } = webhook_deliveries
  return orm.select({ event_id, attempts, retries }).from(webhook_deliveries).where(isLeased(p))
})

const selectLeasedEvents = statement((p: P, orm) =>
  selectEvents(orm).where(sql`${events.id} in (select event_id from ${webhook_deliveries} where ${isLeased(p)})`),
)

/** What this very turn has leased. */
function isLeased(p: P): SQL {
  const { endpoint_id, lease, next_attempt_at } = webhook_deliveries
  return sql`${endpoint_id} = ${p.endpoint_id} and ${lease} = ${p.lease} and ${next_attempt_at} > ${p.now}`
}
