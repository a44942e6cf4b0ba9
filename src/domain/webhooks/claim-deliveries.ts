/**
 * One poll of an endpoint. It is one batch, which D1 runs as one transaction:
 *   1. record the result of the attempt that has finished, if one has (record-result.ts)
 *   2. lease deliveries that are due (lease-deliveries.ts)
 *   3. insert the deliveries of new events, and lease as many of them as there are slots left
 *   4. move the endpoint's cursor past these events
 *   5. select the endpoint, and what this poll has leased
 * D1 knows what to deliver and when; a message of the queue only starts a poll. So a message that is lost, late or
 * repeated loses no delivery and sends none twice. The minutely job starts the polls whose messages were lost.
 */
import { and, eq, exists, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { events, webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import { contextParams } from '../change/context.ts'
import { type EventRecord, selectEvents } from '../events/feed.ts'
import { type FinishedAttempt, resultValues } from './finished-attempts.ts'
import {
  claimParams,
  isOfEndpoint,
  leaseDue,
  leaseNew,
  moveCursor,
  selectDue,
  selectNewEvents,
} from './lease-deliveries.ts'
import { isEnabledEndpoint, jobContext } from './polled-endpoint.ts'
import { recordSteps } from './record-result.ts'

/** A delivery to be sent now. */
export interface ClaimedDelivery {
  event: EventRecord
  /** The number of the attempt to be made, from 1. */
  number: number
  /** The result is recorded only while the delivery has this lease. */
  lease: string
  /** How many delays of the retry schedule the delivery has used up. */
  retries: number
}

interface PollRequest {
  endpoint_id: number
  finished: FinishedAttempt | undefined
  /** False if the caller can start no more attempts. The poll then leases nothing. */
  mayClaim: boolean
}

interface Poll {
  /** Undefined if the endpoint is deleted or disabled. */
  endpoint: WebhookEndpoint | undefined
  deliveries: ClaimedDelivery[]
  /** True if the endpoint has to be polled again at once, and no attempt of this poll will do so when it ends. */
  hasMore: boolean
  /** When the delivery of the finished attempt is due again, in milliseconds from now; undefined if it is not retried. */
  retryAfterMs: number | undefined
  /** If this poll has disabled the endpoint, the other endpoints of its store: there is an event for them. */
  endpointsToNotify: number[]
}

/**
 * Records the result of an attempt, and leases what may be sent to the endpoint now. D1 has one writer, so of two polls
 * at the same time the second one finds the leases of the first.
 */
export async function claimDeliveries(db: Db, { endpoint_id, finished, mayClaim }: PollRequest): Promise<Poll> {
  const now = Date.now()
  const claim = { endpoint_id, lease: crypto.randomUUID(), may_claim: mayClaim ? 1 : 0 }
  const result = finished && resultValues(finished)
  const rows = await batch(
    db,
    {
      ...recordSteps(result),
      due: leaseDue(claim),
      new: leaseNew(claim),
      cursor: moveCursor(claim),
      endpoint: selectEndpoint(claim),
      leased: selectLeased(claim),
      events: selectLeasedEvents(claim),
    },
    // If the batch is sent again, it finds the result recorded, and selects by its lease what it has leased before.
    { retry: 'idempotent', shared: jobContext(endpoint_id, now) },
  )
  const [endpoint] = rows.endpoint
  const deliveries = rows.leased.flatMap((delivery) => toClaimed(delivery, rows.events, claim.lease))
  const isRetried = endpoint !== undefined && result?.succeeded === 0 && result.is_last === 0
  return {
    endpoint,
    deliveries,
    // A delivery that is due and was not leased waits for a slot, and the attempt that has the slot polls when it ends.
    // But if this poll was not allowed to lease anything, there may be no such attempt.
    hasMore: deliveries.length === 0 && (endpoint?.has_new === 1 || (endpoint?.has_due === 1 && !mayClaim)),
    retryAfterMs: isRetried ? result.delay_ms : undefined,
    endpointsToNotify: rows.endpointsToNotify.map(({ id }) => id),
  }
}

/** An empty list if the event has been purged: its delivery will be purged as well. */
function toClaimed(delivery: RowOf<typeof selectLeased>, events: EventRecord[], lease: string): ClaimedDelivery[] {
  const { event_id, attempts, retries } = delivery
  const event = events.find(({ id }) => id === event_id)
  return event ? [{ event, number: attempts + 1, lease, retries }] : []
}

/** The endpoint, unless it is disabled; whether deliveries are due, and whether there are events after its cursor. */
const selectEndpoint = statement(claimParams, () =>
  orm
    .select({
      ...getTableColumns(webhook_endpoints),
      has_due: sql<0 | 1>`${exists(selectDue)}`.as('has_due'),
      has_new: sql<0 | 1>`${exists(selectNewEvents)}`.as('has_new'),
    })
    .from(webhook_endpoints)
    .where(isEnabledEndpoint),
)

/**
 * What this poll has leased. The condition on the time excludes nothing, but only with it can SQLite use the index of due
 * deliveries. Without it, it would read every delivery that the endpoint ever had.
 */
const isLeased = and(
  isOfEndpoint,
  eq(webhook_deliveries.lease, claimParams.lease),
  gt(webhook_deliveries.next_attempt_at, contextParams.now),
)

const selectLeased = statement(claimParams, () => {
  const { event_id, attempts, retries } = webhook_deliveries
  return orm.select({ event_id, attempts, retries }).from(webhook_deliveries).where(isLeased)
})

const selectLeasedEvents = statement(claimParams, () => {
  const leased = orm.select({ event_id: webhook_deliveries.event_id }).from(webhook_deliveries).where(isLeased)
  return selectEvents().where(inArray(events.id, leased))
})
