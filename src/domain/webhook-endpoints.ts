import { randomBytes } from 'node:crypto'
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { events, webhook_deliveries, type WebhookEndpoint, webhook_endpoints } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { WEBHOOK } from '../limits.ts'
import { forget } from './access-tokens.ts'
import type { EventType } from './events.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

export interface EndpointId {
  store_id: string
  /** Undefined for an id that no endpoint can have. */
  id: number | undefined
}

interface NewEndpoint {
  store_id: string
  url: string
  /** Undefined for all, those that are yet to come too. */
  types: EventType[] | undefined
  now: number
}

/** An endpoint for the events from now on. */
export async function createWebhookEndpoint(
  db: Db,
  { store_id, url, types, now }: NewEndpoint,
): Promise<WebhookEndpoint> {
  const insert = db.orm
    .insert(webhook_endpoints)
    .values({
      store_id,
      url,
      types: types?.join(' ') ?? null,
      secret: newSecret(),
      cursor: sql`(select coalesce(max(e.id), 0) from ${events} e)`,
      created_at: now,
    })
    .returning()
  const [[row]] = await run(db, [query(insert)])
  if (!row) throw new Error('an insert returned no row')
  forgetStore(store_id)
  return row
}

/** Throws `not_found`. */
export async function getWebhookEndpoint(db: Db, endpoint: EndpointId): Promise<WebhookEndpoint> {
  const [rows] = await run(db, [query(db.orm.select().from(webhook_endpoints).where(isEndpoint(endpoint)))])
  return only(rows)
}

export async function listWebhookEndpoints(
  db: Db,
  { store_id, limit, after = 0 }: PageRequest<number> & { store_id: string },
): Promise<Page<WebhookEndpoint>> {
  const select = db.orm
    .select()
    .from(webhook_endpoints)
    .where(and(eq(webhook_endpoints.store_id, store_id), gt(webhook_endpoints.id, after)))
    .orderBy(asc(webhook_endpoints.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}

/** A new secret; the one before signs, too, for a day. Throws `not_found`. */
export async function rotateWebhookSecret(
  db: Db,
  { now, ...endpoint }: EndpointId & { now: number },
): Promise<WebhookEndpoint> {
  const update = db.orm
    .update(webhook_endpoints)
    .set({
      secret: newSecret(),
      previous_secret: sql`${webhook_endpoints.secret}`,
      previous_secret_expires_at: now + WEBHOOK.rotationMs,
    })
    .where(isEndpoint(endpoint))
    .returning()
  const [rows] = await run(db, [query(update)])
  return only(rows)
}

/** Goes on where the endpoint was disabled, at once: with what waits and with all that has happened since. Throws `not_found`. */
export async function enableWebhookEndpoint(
  db: Db,
  { now, ...endpoint }: EndpointId & { now: number },
): Promise<WebhookEndpoint> {
  const update = db.orm
    .update(webhook_endpoints)
    .set({ disabled_at: null, failures: 0, failing_since: null, retry_at: null })
    .where(isEndpoint(endpoint))
    .returning()
  const makeDue = db.orm
    .update(webhook_deliveries)
    .set({ next_attempt_at: now })
    .where(
      and(
        sql`${webhook_deliveries.endpoint_id} in (select w.id from ${webhook_endpoints} w
          where w.id = ${endpoint.id ?? null} and w.store_id = ${endpoint.store_id})`,
        isNotNull(webhook_deliveries.next_attempt_at),
      ),
    )
  const [rows] = await run(db, [query(update), query(makeDue)])
  forgetStore(endpoint.store_id)
  return only(rows)
}

/** Its deliveries go with the next hourly run. Throws `not_found`. */
export async function deleteWebhookEndpoint(db: Db, endpoint: EndpointId): Promise<void> {
  const remove = db.orm.delete(webhook_endpoints).where(isEndpoint(endpoint)).returning({ id: webhook_endpoints.id })
  const [rows] = await run(db, [query(remove)])
  forgetStore(endpoint.store_id)
  only(rows)
}

/** Makes this instance learn at once, for its next request, which endpoints the store has. */
function forgetStore(storeId: string): void {
  forget(({ store_id }) => store_id === storeId)
}

function isEndpoint({ store_id, id }: EndpointId) {
  return and(eq(webhook_endpoints.id, id ?? 0), eq(webhook_endpoints.store_id, store_id))
}

function only<Row>([row]: Row[]): Row {
  if (!row) throw new ApiError('not_found')
  return row
}

/** Of https://www.standardwebhooks.com: 24 to 64 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(WEBHOOK.secretBytes).toString('base64')}`
}
