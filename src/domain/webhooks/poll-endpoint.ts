/**
 * One poll of an endpoint. It is one batch, which D1 runs as one transaction:
 *   1. record the results of the attempts that have finished (record-result.ts)
 *   2. lease deliveries that are due (lease-due.ts)
 *   3. insert the deliveries of new events, and lease as many of them as there are slots left (lease-new.ts)
 *   4. move the endpoint's cursor past these events, and its `resumed_after` past what was leased
 *   5. schedule the next wake-up, unless one arrives earlier (wake-ups.ts)
 *   6. select the endpoint, and what this poll has leased
 * D1 knows what to deliver and when; a message of the queue only starts a poll. So a message that is lost, late or
 * repeated loses no delivery and sends none twice. The minutely job starts the polls whose messages were lost.
 */
import { and, eq, exists, getTableColumns, inArray, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { events, webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { named, orm, type RowOf, statement } from '../../db/statement.ts'
import { serviceContext } from '../change/context.ts'
import { type EventRecord, selectEvents } from '../events/feed.ts'
import { type FinishedAttempt, resultValues } from './finished-attempts.ts'
import { probeValues } from './endpoint-state.ts'
import { selectEndpointsToNotify } from './disable.ts'
import { hasDue, leaseDue } from './lease-due.ts'
import { leaseNew, moveCursor, selectNewEvents } from './lease-new.ts'
import { isInFlight } from './pending-deliveries.ts'
import { isEnabledEndpoint, isOfPolledEndpoint } from './polled-endpoint.ts'
import { stepsForAll } from './record-result.ts'
import { leaseParams } from './lease-slots.ts'
import { moveResumed, postponeProbe, scheduleWakeUp, wakeUpDelay } from './wake-ups.ts'

/** A delivery to be sent now. */
export interface LeasedDelivery {
  event: EventRecord
  /** The number of the attempt to be made, from 1. */
  attempt: number
  /** The result is recorded only while the delivery has this lease. */
  lease: string
  /** How many delays of the retry schedule the delivery has used up. */
  retries: number
  /** True if the endpoint is down: the attempt uses up none of the delays. */
  isProbe: boolean
}

interface PollRequest {
  endpoint_id: number
  /** The attempts that have ended, in this order. */
  finished: FinishedAttempt[]
  /** How many attempts the caller can start: the poll leases no more deliveries. */
  maxLeases: number
}

interface Poll {
  /** Undefined if the endpoint is deleted or disabled. */
  endpoint: WebhookEndpoint | undefined
  deliveries: LeasedDelivery[]
  /** True if the endpoint has to be polled again at once, and no attempt of this poll will do so when it ends. */
  hasMore: boolean
  /** The delay of the wake-up that is to be sent; undefined if none is. */
  wakeAfterMs: number | undefined
  /** If this poll has disabled the endpoint, the other endpoints of its store: there is an event for them. */
  endpointsToNotify: number[]
}

/**
 * Records the results of attempts, and leases what may be sent to the endpoint now. D1 has one writer, so of two polls
 * at the same time the second one finds the leases of the first.
 */
export async function pollEndpoint(db: Db, { endpoint_id, finished, maxLeases }: PollRequest): Promise<Poll> {
  const now = Date.now()
  const values = { endpoint_id, lease: crypto.randomUUID(), max_leases: maxLeases, ...probeValues() }
  const rows = await batch(
    db,
    {
      ...stepsForAll(finished.map(resultValues)),
      endpointsToNotify: finished.length > 0 ? selectEndpointsToNotify({ endpoint_id }) : undefined,
      due: leaseDue(values),
      new: leaseNew(values),
      cursor: moveCursor(values),
      resumed: moveResumed({ endpoint_id }),
      probe: postponeProbe(values),
      wakeUp: scheduleWakeUp({ endpoint_id }),
      endpoint: selectEndpoint(values),
      leased: selectLeased(values),
      events: selectLeasedEvents(values),
    },
    // If the batch is sent again, it finds the result recorded, and selects by its lease what it has leased before. A
    // wake-up that the first attempt scheduled is then sent by the minutely job.
    { retry: 'idempotent', shared: serviceContext(endpoint_id, now) },
  )
  const [endpoint] = rows.endpoint
  const shared = { lease: values.lease, isProbe: endpoint?.probe_at != null }
  const deliveries = rows.leased.flatMap((delivery) => toLeased(delivery, rows.events, shared))
  return {
    endpoint,
    deliveries,
    // A delivery that is due and was not leased waits for a slot, and the attempt that has the slot polls when it ends.
    // But if the caller can start no attempt, there may be no such attempt.
    hasMore: deliveries.length === 0 && (endpoint?.has_new === 1 || (endpoint?.has_due === 1 && maxLeases === 0)),
    wakeAfterMs: wakeUpDelay(rows.wakeUp, now),
    endpointsToNotify: rows.endpointsToNotify.map(({ id }) => id),
  }
}

/** An empty list if the event has been purged: its delivery will be purged as well. */
function toLeased(
  { event_id, attempts, retries }: RowOf<typeof selectLeased>,
  events: EventRecord[],
  shared: Pick<LeasedDelivery, 'lease' | 'isProbe'>,
): LeasedDelivery[] {
  const event = events.find(({ id }) => id === event_id)
  return event ? [{ event, attempt: attempts + 1, retries, ...shared }] : []
}

/** The endpoint, unless it is disabled; whether deliveries are due, and whether there are events after its cursor. */
const selectEndpoint = statement(leaseParams, () =>
  orm
    .select(
      named({
        ...getTableColumns(webhook_endpoints),
        has_due: hasDue(),
        has_new: sql<0 | 1>`${exists(selectNewEvents())}`,
      }),
    )
    .from(webhook_endpoints)
    .where(isEnabledEndpoint),
)

/** What this poll has leased. Its leases have not ended, and with this condition SQLite need not read all deliveries. */
const isLeased = and(isOfPolledEndpoint, isInFlight, eq(webhook_deliveries.lease, leaseParams.lease))

const selectLeased = statement(leaseParams, () => {
  const { event_id, attempts, retries } = webhook_deliveries
  return orm.select({ event_id, attempts, retries }).from(webhook_deliveries).where(isLeased)
})

const selectLeasedEvents = statement(leaseParams, () => {
  const leased = orm.select({ event_id: webhook_deliveries.event_id }).from(webhook_deliveries).where(isLeased)
  return selectEvents().where(inArray(events.id, leased))
})
