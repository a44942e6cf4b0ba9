/** What an operator has sent at once: apart from the queue, from the schedule and from what is in flight. */
import { sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { WEBHOOK } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { type EventRecord, selectEvents } from '../events/feed.ts'
import { foundRow } from '../errors.ts'
import { gate } from '../change/authorize.ts'
import { readAll } from '../change/read.ts'
import { deliveryColumns, type DeliveryRecord } from './deliveries.ts'
import { selectEndpoint } from './endpoints.ts'
import { outcomeSteps, outcomeValues } from './outcomes.ts'
import type { Answered } from './send.ts'
import { wakeLater } from './notify.ts'

interface Redelivery {
  call: Call
  /** The number of the endpoint. */
  number: number
  /** The number of the event. */
  event: number
  send: (endpoint: WebhookEndpoint, event: EventRecord, attempt: number) => Promise<Answered>
}

type Values = CallValues & { number: number; event: number }

/** A delivery to note the outcome in; should the process die before, it is made like any other. */
const insertMissing = statement((p: Params<Values>, orm) =>
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
      lease: null,
      next_attempt_at: sql`${p.now} + w.ahead_ms + ${WEBHOOK.leaseMs}`,
    },
    sql`from ${webhook_endpoints} w join ${events} e on e.id = ${idIn(p.store, p.event)}
      where w.id = ${idIn(p.store, p.number)} and ${gate(p)} is null`,
  ).onConflictDoNothing(),
)

const selectEvent = statement((p: Params<Values>, orm) =>
  selectEvents(orm).where(sql`${events.id} = ${idIn(p.store, p.event)}`),
)

const selectDelivery = statement((p: Params<Values>, orm) =>
  orm
    .select(deliveryColumns(p.now))
    .from(webhook_deliveries)
    .innerJoin(webhook_endpoints, sql`${webhook_endpoints.id} = ${webhook_deliveries.endpoint_id}`)
    .where(
      sql`${webhook_deliveries.endpoint_id} = ${idIn(p.store, p.number)}
        and ${webhook_deliveries.event_id} = ${idIn(p.store, p.event)}`,
    ),
)

interface Redelivered {
  delivery: DeliveryRecord
  endpoint_id: number
  /** How long until the queue sends it again; undefined: it will not. */
  retryAfterMs: number | undefined
}

/** Also sends an event from before the endpoint, or of a type that it did not ask for. Throws `not_found`. */
export async function redeliver(db: Db, { call, number, event, send }: Redelivery): Promise<Redelivered> {
  const values = { ...callValues(call), number, event }
  const asked = await readAll(db, call, {
    missing: insertMissing(values),
    endpoint: selectEndpoint(values),
    event: selectEvent(values),
    delivery: selectDelivery(values),
  })
  const endpoint = foundRow(asked.endpoint)
  const record = foundRow(asked.event)
  const before = foundRow(asked.delivery)

  const answered = await send(endpoint, record, before.attempts + 1)
  const now = Date.now()
  const ended = { endpoint_id: endpoint.id, event_id: record.id, lease: null, retries: 0, answered }
  const { found, others } = await batch(
    db,
    { ...outcomeSteps(outcomeValues(ended, now)), found: selectDelivery({ ...values, now }) },
    { retry: 'done twice is done once' },
  )
  wakeLater(
    db,
    others.map(({ id }) => id),
  )
  const delivery = foundRow(found)
  const { next_attempt_at: next } = delivery
  return { delivery, endpoint_id: endpoint.id, retryAfterMs: next === null ? undefined : next - now }
}
