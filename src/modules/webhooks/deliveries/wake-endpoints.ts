/** Waking the objects of endpoints: after a change, and by the every-minute job if that call was lost. */
import { and, exists, isNull, lte, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../../db/batch.ts'
import { isOfStore, numberIn, numberOf, storeIn, storeOf } from '../../../db/ids.ts'
import { endpointObject, type EndpointBindings, wakeObject } from '../../../db/places.ts'
import { events, webhook_endpoints } from '../../../db/schema/stores.ts'
import { orm, statement } from '../../../db/statement.ts'
import { WEBHOOK } from '../limits.ts'
import { describeError, log } from '../../../lib/log.ts'
import { contextParams } from '../../../change/request.ts'
import { isWoken } from '../../../change/commit.ts'

/** A call that is lost delays a delivery and loses none: the every-minute job finds the endpoint. */
export async function wakeEndpoints(env: EndpointBindings, ids: Iterable<number>): Promise<void> {
  await Promise.all(
    [...new Set(ids)].map((id) =>
      wakeObject(endpointObject(env, id).wake(id)).catch((error: unknown) => {
        const endpoint = { store: storeOf(id), webhook_endpoint_id: numberOf(id) }
        log('warning', { code: 'endpoint_not_woken', ...endpoint, error: describeError(error) })
      }),
    ),
  )
}

const { id, cursor, disabled_at, next_attempt_at } = webhook_endpoints

/** Those with an event after their cursor, unless they are down, and those whose alarm has not rung. */
const selectNeglected = statement({}, () => {
  const newEvent = orm
    .select({ id: events.id })
    .from(events)
    .where(isOfStore(events.id, storeIn(id), numberIn(cursor)))
  const isOverdue = lte(next_attempt_at, sql`${contextParams.now} - ${WEBHOOK.graceMs}`)
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(and(isNull(disabled_at), or(and(isWoken, exists(newEvent)), isOverdue)))
    .limit(WEBHOOK.wokenPerRun)
})

/** The endpoints that have something to do and, as far as the database knows, do not do it. */
export async function listNeglected(db: Db, now: number): Promise<number[]> {
  const { rows } = await batch(db, { rows: selectNeglected({}) }, { retry: 'only reads', shared: { now } })
  return rows.map((row) => row.id)
}
