/**
 * What a caller sends at once, independently of the schedule: a test, or one delivery again. The endpoint's object sends
 * it, and then records how it ended. Nothing else waits for it, and it is no request in flight of the endpoint.
 */
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/batch.ts'
import { idIn } from '../../../db/ids.ts'
import { events, type WebhookEndpoint } from '../../../db/schema/stores.ts'
import { params, statement } from '../../../db/statement.ts'
import { type RequestContext, storeNumber } from '../../../change/request.ts'
import { readAll } from '../../../change/commit.ts'
import { requireRow } from '../../../change/errors.ts'
import { type EventRecord, selectEvents } from '../../events/feed.ts'
import type { Delivery } from './delivery.ts'
import { getEndpoint, selectEndpoint } from '../endpoints.ts'
import { type AttemptResult, isSuccess } from './send.ts'

/** A delivery with the endpoint that it goes to, for its next attempt (src/modules/webhooks/deliveries/list-deliveries.ts). */
interface Redelivered {
  endpoint: WebhookEndpoint
  delivery: Delivery
}

interface Redelivery {
  number: number
  event: number
  send: (endpoint: WebhookEndpoint, event: EventRecord) => Promise<AttemptResult>
  /** Has the endpoint's object record the result, and returns the delivery as it is then. */
  record: (endpoint: WebhookEndpoint, event: EventRecord, result: AttemptResult) => Promise<Delivery>
}

const eventParams = params('event')

const selectEvent = statement(eventParams, () =>
  selectEvents().where(eq(events.id, idIn(storeNumber, eventParams.event))),
)

/**
 * Sends an event to an endpoint, even one from before the endpoint, or of a type that the endpoint does not ask for.
 * Throws `not_found` if there is no such endpoint or event.
 */
export async function redeliver(
  db: Db,
  context: RequestContext,
  { number, event, send, record }: Redelivery,
): Promise<Redelivered> {
  const found = await readAll(db, context, { endpoint: selectEndpoint({ number }), event: selectEvent({ event }) })
  const endpoint = requireRow(found.endpoint)
  const sent = requireRow(found.event)
  return { endpoint, delivery: await record(endpoint, sent, await send(endpoint, sent)) }
}

interface Test {
  number: number
  send: (endpoint: WebhookEndpoint) => Promise<AttemptResult>
  /** Has the endpoint's object record a success. */
  recover: (endpoint: WebhookEndpoint) => Promise<void>
}

/** Sends a test at once. Its success counts as that of a delivery; its failure counts for nothing. Throws `not_found`. */
export async function testEndpoint(
  db: Db,
  context: RequestContext,
  { number, send, recover }: Test,
): Promise<AttemptResult> {
  const endpoint = await getEndpoint(db, context, number)
  const result = await send(endpoint)
  if (isSuccess(result.status)) await recover(endpoint)
  return result
}
