import { eq, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { events, webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { columnsOf, deferred, orm, params, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { authorization, request } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
} from '../change/event.ts'
import { noneHolds, rule } from '../change/rules.ts'
import { newSecret } from './secrets.ts'

const createParams = params('url', 'types', 'secret')

/** Each change wakes every endpoint of its store, so their number is limited. */
const tooManyEndpoints = deferred(() => {
  const ofStore = orm
    .select({ count: sql`count(*)` })
    .from(webhook_endpoints)
    .where(isOfStore(webhook_endpoints.id, request.store))
  return gte(sql`${ofStore}`, WEBHOOK.endpoints)
})

const rules = [...attemptRules, ...authorization, rule('limit_reached', tooManyEndpoints)]

const insertCreatedEvent = statement({}, () =>
  orm
    .insert(events)
    .select(selectRequestWithEarlierAttempts(newEvent({ type: 'webhook_endpoint.created' })).where(noneHolds(rules))),
)

const insertEndpoint = statement(createParams, () =>
  orm.insert(webhook_endpoints).select(
    orm
      .select(
        columnsOf(webhook_endpoints, {
          ...createParams,
          id: events.id,
          older_secrets: null,
          disabled_at: null,
          resumed_by: events.id,
          created_at: contextParams.now,
          event_id: events.id,
          // The endpoint is sent the events that follow its own.
          cursor: events.id,
          failing_since: null,
          last_status: null,
          is_down: 0,
          next_attempt_at: null,
          pending: 0,
          oldest_pending_at: null,
        }),
      )
      .from(events)
      .where(isEventOfThisAttempt),
  ),
)

const selectCreated = statement({}, () =>
  selectRequestWithEarlierAttempts({ ...resultOf(rules), ...getTableColumns(webhook_endpoints) }).leftJoin(
    webhook_endpoints,
    eq(webhook_endpoints.id, applied.id),
  ),
)

interface NewEndpoint {
  url: string
  /** Undefined for all types, those that are added later included. */
  types: readonly string[] | undefined
}

/** Throws the errors of the authorization and `limit_reached`. */
export async function createEndpoint(
  db: Db,
  context: RequestContext,
  { url, types }: NewEndpoint,
): Promise<WebhookEndpoint> {
  const values = { url, types: types?.join(' ') ?? null, secret: newSecret() }
  const result = await commit(db, context, {
    event: insertCreatedEvent({}),
    endpoint: insertEndpoint(values),
    result: selectCreated({}),
  })
  const endpoint = requireRecord<WebhookEndpoint>(result)
  // There is nothing to send to it yet.
  context.endpointsToWake.delete(endpoint.id)
  return endpoint
}
