/** Deliveries as the API shows them: those in the endpoint's object, and the next events after its cursor. */
import { and, asc, eq, isNull, max, min, or } from 'drizzle-orm'
import type { Db } from '../../../db/batch.ts'
import { idIn, idOf, isOfStore, numberIn, storeOf } from '../../../db/ids.ts'
import { events, webhook_endpoints, type WebhookEndpoint } from '../../../db/schema/stores.ts'
import { orm, params, statement, hasWord } from '../../../db/statement.ts'
import { WEBHOOK } from '../limits.ts'
import { type RequestContext, storeNumber } from '../../../change/request.ts'
import { readAll } from '../../../change/commit.ts'
import { requireRow } from '../../../change/errors.ts'
import { type Order, type Page, type PageRequest, startOf } from '../../../change/pages.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import type { PageOfDeliveries } from './delivery-log.ts'
import { selectEndpoint } from '../endpoints.ts'

/** A delivery as the API shows it. */
export type DeliveryRecord = Pick<
  Delivery,
  'event_id' | 'type' | 'state' | 'attempts' | 'last_status' | 'last_attempt_at' | 'next_attempt_at'
>

/**
 * What is due is attempted now: while it is in flight, its time does not move. It has no time if it waits for an endpoint
 * that is disabled or down.
 */
export function toRecord(delivery: Delivery, endpoint: WebhookEndpoint, now: number): DeliveryRecord {
  const isPending = delivery.state === 'pending' && endpoint.disabled_at === null && endpoint.is_down === 0
  return { ...delivery, next_attempt_at: isPending ? Math.max(delivery.next_attempt_at ?? now, now) : null }
}

interface DeliveryFilter extends PageRequest<number> {
  number: number
  state?: DeliveryState | undefined
  /** By the event; the newest first if this is undefined. */
  order?: Order | undefined
  /** Asks the endpoint's object. */
  page: (endpoint: WebhookEndpoint, request: PageOfDeliveries) => Promise<{ rows: Delivery[]; next: string | null }>
}

const numberParams = params('number')

const isEndpoint = eq(webhook_endpoints.id, idIn(storeNumber, numberParams.number))

/** The next events after the cursor of the endpoint that it asks for: they are in flight, or wait for it. */
const selectUnattempted = statement(numberParams, () => {
  const { cursor, types } = webhook_endpoints
  return orm
    .select({ id: events.id, type: events.type, created_at: events.created_at })
    .from(webhook_endpoints)
    .innerJoin(events, isOfStore(events.id, storeNumber, numberIn(cursor)))
    .where(and(isEndpoint, or(isNull(types), hasWord(types, events.type))))
    .orderBy(asc(events.id))
    .limit(WEBHOOK.window)
})

const selectKept = statement({}, () =>
  orm
    .select({ oldest: min(events.id).as('oldest'), newest: max(events.id).as('newest') })
    .from(events)
    .where(isOfStore(events.id, storeNumber)),
)

/** Lists deliveries in the order of their events. Throws `not_found`. */
export async function listDeliveries(
  db: Db,
  context: RequestContext,
  { number, state, limit, order = 'desc', after = startOf(order), page }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const found = await readAll(db, context, {
    endpoint: selectEndpoint({ number }),
    next: selectUnattempted({ number }),
    kept: selectKept({}),
  })
  const endpoint = requireRow(found.endpoint)
  const { oldest, newest } = requireRow(found.kept)
  // The object deletes the deliveries of events that are no longer kept when it works the next time.
  const first = oldest ?? 0
  const start = idOf(storeOf(endpoint.id), after)
  const from = order === 'asc' ? Math.max(start, first - 1) : start
  const { rows, next } = await page(endpoint, {
    order,
    after: from,
    limit,
    state,
    next: found.next,
    newest: newest ?? 0,
  })
  const kept = rows.filter(({ event_id }) => event_id >= first)
  return {
    rows: kept.map((row) => toRecord(row, endpoint, context.now)),
    next: kept.length < rows.length ? null : next,
  }
}
