/**
 * An operator sends one delivery at once, whatever its state. It uses neither the queue nor a lease, and does not count as
 * a request in flight, so it need not wait for an endpoint that is busy or disabled.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { columnsOf, orm, params, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { authorization, selectFromRequest, storeNumber } from '../change/authorize.ts'
import { contextParams, type RequestContext, serviceContext } from '../change/context.ts'
import { readAll } from '../change/read.ts'
import { noneHolds } from '../change/rules.ts'
import { requireRow } from '../errors.ts'
import { type EventRecord, selectEvents } from '../events/feed.ts'
import { deliveryColumns, type DeliveryRecord } from './deliveries.ts'
import { selectEndpoint } from './endpoints.ts'
import { resultValues } from './finished-attempts.ts'
import { recordSteps } from './record-result.ts'
import { type AttemptResult, isSuccess } from './send.ts'
import { scheduleWakeUp, wakeUpDelay } from './wake-ups.ts'

interface Redelivery {
  /** The number of the endpoint. */
  number: number
  /** The number of the event. */
  event: number
  send: (endpoint: WebhookEndpoint, event: EventRecord, attempt: number) => Promise<AttemptResult>
}

interface Redelivered {
  delivery: DeliveryRecord
  endpoint_id: number
  /** The delay of the wake-up that is to be sent; undefined if none is. */
  wakeAfterMs: number | undefined
}

/**
 * Sends an event to an endpoint, even one from before the endpoint, or of a type that the endpoint does not ask for.
 * Throws the errors of the authorization, and `not_found` if there is no such endpoint or event.
 */
export async function redeliver(
  db: Db,
  context: RequestContext,
  { number, event, send }: Redelivery,
): Promise<Redelivered> {
  const values = { number, event }
  const found = await readAll(db, context, {
    missing: insertMissing(values),
    endpoint: selectEndpoint({ number }),
    event: selectEvent(values),
    delivery: selectDelivery(values),
  })
  const endpoint = requireRow(found.endpoint)
  const record = requireRow(found.event)
  const { attempts } = requireRow(found.delivery)

  const result = await send(endpoint, record, attempts + 1)
  const now = Date.now()
  // If the delivery gets a new schedule, it begins with the first delay.
  const finished = { endpoint_id: endpoint.id, event_id: record.id, lease: null, retries: 0, isProbe: false, result }
  const rows = await batch(
    db,
    {
      ...recordSteps(resultValues(finished)),
      wakeUp: scheduleWakeUp({ endpoint_id: endpoint.id }),
      recorded: selectRecorded(values),
    },
    { retry: 'idempotent', shared: serviceContext(endpoint.id, now) },
  )
  // What has waited for the endpoint is due. If it went down only now, the minutely job notifies it.
  if (endpoint.probe_at !== null && isSuccess(result.status)) db.endpointsToWake.add(endpoint.id)
  return {
    delivery: requireRow(rows.recorded),
    endpoint_id: endpoint.id,
    wakeAfterMs: wakeUpDelay(rows.wakeUp, now),
  }
}

const redeliveryParams = params('number', 'event')

/**
 * Inserts the delivery if there is none, so that its result can be recorded. If the process dies before that, the delivery
 * is sent like any other, once the time of a lease has passed.
 */
const insertMissing = statement(redeliveryParams, () => {
  const columns = columnsOf(webhook_deliveries, {
    endpoint_id: webhook_endpoints.id,
    event_id: events.id,
    state: 'pending',
    attempts: 0,
    retries: 0,
    last_status: null,
    last_attempt_at: null,
    lease: null,
    leased_until: null,
    next_attempt_at: sql`${contextParams.now} + ${WEBHOOK.leaseMs}`,
  })
  return orm
    .insert(webhook_deliveries)
    .select(
      selectFromRequest(columns)
        .innerJoin(webhook_endpoints, eq(webhook_endpoints.id, idIn(storeNumber, redeliveryParams.number)))
        .innerJoin(events, eq(events.id, idIn(storeNumber, redeliveryParams.event)))
        .where(noneHolds(authorization)),
    )
    .onConflictDoNothing()
})

const selectEvent = statement(redeliveryParams, () =>
  selectEvents().where(eq(events.id, idIn(storeNumber, redeliveryParams.event))),
)

/** Selects the delivery in the store with this number. */
function selectDeliveryIn(store: SQL) {
  const { endpoint_id, event_id } = webhook_deliveries
  return statement(redeliveryParams, () =>
    orm
      .select(deliveryColumns())
      .from(webhook_deliveries)
      .innerJoin(webhook_endpoints, eq(webhook_endpoints.id, endpoint_id))
      .innerJoin(events, eq(events.id, event_id))
      .where(
        and(eq(endpoint_id, idIn(store, redeliveryParams.number)), eq(event_id, idIn(store, redeliveryParams.event))),
      ),
  )
}

const selectDelivery = selectDeliveryIn(storeNumber)

/** What was sent is recorded, and returned, even if the caller has been revoked meanwhile. */
const selectRecorded = selectDeliveryIn(contextParams.store)
