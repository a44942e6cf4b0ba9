import { and, eq, exists, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { events, webhook_endpoints, type WebhookEndpoint } from '../../db/schema/stores.ts'
import { columnsOf, lazySql, orm, params } from '../../db/statement.ts'
import { WEBHOOK } from './limits.ts'
import { permittedStore } from '../../change/event.ts'
import { storeOfRequest, type RequestContext, rule } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import { newSecret } from './secrets.ts'

const createParams = params('url', 'types', 'secret')

/** Each change wakes every endpoint of its store, so their number is limited. */
const tooManyEndpoints = lazySql(() => {
  const ofStore = orm
    .select({ count: sql`count(*)` })
    .from(webhook_endpoints)
    .where(isOfStore(webhook_endpoints.id, storeOfRequest))
  return gte(sql`${ofStore}`, WEBHOOK.endpoints)
})

/** With one URL twice, a batch of a hundred would send 1,600 requests to the same receiver. */
const isUrlTaken = lazySql(() =>
  exists(
    orm
      .select({ id: webhook_endpoints.id })
      .from(webhook_endpoints)
      .where(and(isOfStore(webhook_endpoints.id, permittedStore), eq(webhook_endpoints.url, createParams.url))),
  ),
)

const create = creationOf(createParams, () => ({
  type: 'webhook_endpoint.created',
  table: webhook_endpoints,
  rules: [rule('endpoint_url_taken', isUrlTaken), rule('limit_reached', tooManyEndpoints)],
  columns: columnsOf(webhook_endpoints, {
    ...createParams,
    ...newRecord(),
    older_secrets: null,
    disabled_at: null,
    resumed_by: events.id,
    // The endpoint is sent the events that follow its own.
    cursor: events.id,
    failing_since: null,
    last_status: null,
    is_down: 0,
    next_attempt_at: null,
    pending: 0,
    oldest_pending_at: null,
  }),
  record: getTableColumns(webhook_endpoints),
}))

interface NewEndpoint {
  url: string
  /** Undefined for all types, those that are added later included. */
  types: readonly string[] | undefined
}

/** Throws `endpoint_url_taken` and `limit_reached`. */
export async function createEndpoint(
  db: Db,
  context: RequestContext,
  { url, types }: NewEndpoint,
): Promise<WebhookEndpoint> {
  const values = { url, types: types?.join(' ') ?? null, secret: newSecret() }
  const { row: endpoint } = await create(db, context, values)
  // There is nothing to send to it yet.
  context.endpointsToWake.delete(endpoint.id)
  return endpoint
}
