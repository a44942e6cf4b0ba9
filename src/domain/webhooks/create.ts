import { eq } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { events, webhook_endpoints } from '../../db/schema.ts'
import { columnsOf, orm, params, statement } from '../../db/statement.ts'
import { authorization } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
} from '../change/event.ts'
import { noneHolds } from '../change/rules.ts'
import { endpointColumns, type EndpointRecord } from './endpoints.ts'
import { newSecret } from './secrets.ts'

const createParams = params('url', 'types', 'secret')

const rules = [...attemptRules, ...authorization]

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
          // The endpoint is sent the events that follow its own.
          cursor: events.id,
          failures: 0,
          failing_since: null,
          last_status: null,
          probe_at: null,
          probes: 0,
          resumed_after: 0,
          resumed_until: 0,
          wake_at: null,
          disabled_at: null,
          created_at: contextParams.now,
          event_id: events.id,
        }),
      )
      .from(events)
      .where(isEventOfThisAttempt),
  ),
)

const selectCreated = statement({}, () =>
  selectRequestWithEarlierAttempts({ ...resultOf(rules), ...endpointColumns() }).leftJoin(
    webhook_endpoints,
    eq(webhook_endpoints.id, applied.id),
  ),
)

interface NewEndpoint {
  url: string
  /** Undefined for all types, those that are added later included. */
  types: readonly string[] | undefined
}

/** Throws the errors of the authorization. */
export async function createEndpoint(
  db: Db,
  context: RequestContext,
  { url, types }: NewEndpoint,
): Promise<EndpointRecord> {
  const values = { url, types: types?.join(' ') ?? null, secret: newSecret() }
  const result = await commit(db, context, {
    event: insertCreatedEvent({}),
    endpoint: insertEndpoint(values),
    result: selectCreated({}),
  })
  const endpoint = requireRecord<EndpointRecord>(result)
  // There is nothing to send to it yet.
  db.endpointsToNotify.delete(endpoint.id)
  return endpoint
}
