/** The webhook endpoints of a store, as they are seen and changed. */
import { and, eq, exists, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore } from '../../db/ids.ts'
import { events, webhook_endpoints, type WebhookEndpoint } from '../../db/schema/stores.ts'
import { lazySql, orm, params, statement } from '../../db/statement.ts'
import { HOUR_MS } from '../../limits.ts'
import { permittedStore } from '../../change/event.ts'
import { contextParams, type RequestContext, rule, storeNumber } from '../../change/request.ts'
import {
  changedFieldsJson,
  changesJson,
  differencesOf,
  optionalFields,
  recordParams,
  recordValues,
} from '../../change/record-fields.ts'
import { deletionOf, updateOf } from '../../change/update-record.ts'
import { readOne } from '../../change/commit.ts'
import { listOf } from '../../change/pages.ts'
import { rotationOf } from '../../auth/secret-rotation.ts'
import { newSecret } from './secrets.ts'

const { next_attempt_at, resumed_by, url: currentUrl } = webhook_endpoints

const numberParams = params('number')

export const selectEndpoint = statement(numberParams, () =>
  orm
    .select()
    .from(webhook_endpoints)
    .where(eq(webhook_endpoints.id, idIn(storeNumber, numberParams.number))),
)

/** Throws `not_found`. */
export function getEndpoint(db: Db, context: RequestContext, number: number): Promise<WebhookEndpoint> {
  return readOne(db, context, selectEndpoint({ number }))
}

export const listEndpoints = listOf(webhook_endpoints, 'id', ({ isOnPage, order, limit }) =>
  orm.select().from(webhook_endpoints).where(isOnPage).orderBy(order).limit(limit),
)

const fields = optionalFields(webhook_endpoints, ['url', 'types'])

/** URLs may contain secrets, so the event names the field without its values. */
function updateJson({ url, types }: ReturnType<typeof fields.newValues>): SQL {
  const changes = changesJson(differencesOf(webhook_endpoints, { types }))
  return sql`json_patch(${changes}, ${changedFieldsJson(differencesOf(webhook_endpoints, { url }))})`
}

const otherEndpoint = alias(webhook_endpoints, 'otherEndpoint')

/** An endpoint may keep its URL, also if another one has had the same since before this was a rule. */
const isUrlTaken = lazySql(() =>
  exists(
    orm
      .select({ id: otherEndpoint.id })
      .from(otherEndpoint)
      .where(and(isOfStore(otherEndpoint.id, permittedStore), eq(otherEndpoint.url, fields.params.url))),
  ),
)

const update = updateOf(fields.params, () => {
  const newValues = fields.newValues()
  // An endpoint that is down is probed at its new URL at once.
  const movesElsewhere = sql`${newValues.url} is not ${currentUrl}`
  return {
    table: webhook_endpoints,
    type: 'webhook_endpoint.updated',
    rules: [
      rule('endpoint_url_taken', and(sql`${fields.params.sets_url}`, ne(currentUrl, fields.params.url), isUrlTaken)),
    ],
    newValues,
    alsoSet: { resumed_by: sql`iif(${movesElsewhere}, ${events.id}, ${resumed_by})` },
    event: { data: updateJson(newValues) },
    record: getTableColumns(webhook_endpoints),
  }
})

interface EndpointUpdate {
  number: number
  url: string | undefined
  /** Null for all types; if undefined, the endpoint keeps its types. */
  types: readonly string[] | null | undefined
}

/** Throws `not_found` and `endpoint_url_taken`. */
export async function updateEndpoint(
  db: Db,
  context: RequestContext,
  { number, url, types }: EndpointUpdate,
): Promise<WebhookEndpoint> {
  const values = fields.valuesOf({ url, types: types && types.join(' ') })
  return noted(context, await update(db, context, { number }, values))
}

const secretParams = params('secret')

const rotation = rotationOf({ current: webhook_endpoints.secret, older: webhook_endpoints.older_secrets })

const rotationParams = { ...secretParams, ...rotation.params }

const rotate = updateOf(rotationParams, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.updated',
  rules: [rotation.tooManySecrets],
  newValues: { secret: secretParams.secret },
  alsoSet: { older_secrets: rotation.olderAfter },
  record: getTableColumns(webhook_endpoints),
}))

interface SecretRotation {
  number: number
  /** For how long the replaced secret signs as well. 0 ends every older secret at once. */
  overlap_hours: number
}

interface Rotated {
  endpoint: WebhookEndpoint
  secret: string
}

/** Throws `not_found` and `too_many_secrets`. */
export async function rotateSecret(
  db: Db,
  context: RequestContext,
  { number, overlap_hours }: SecretRotation,
): Promise<Rotated> {
  const secret = newSecret()
  const values = { secret, overlap_ms: overlap_hours * HOUR_MS }
  return { endpoint: await rotate(db, context, { number }, values), secret }
}

const enable = updateOf({}, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.enabled',
  newValues: {
    disabled_at: sql`null`,
    // By this, the object knows that it has to forget its failures (src/modules/webhooks/health.ts): they would disable the
    // endpoint again.
    failing_since: sql`null`,
    next_attempt_at: sql`iif(${next_attempt_at} > ${contextParams.now}, ${contextParams.now}, ${next_attempt_at})`,
  },
  alsoSet: { resumed_by: events.id },
  record: getTableColumns(webhook_endpoints),
}))

/**
 * Resumes the deliveries at once, whether the endpoint was disabled or is failing: those that wait, and all events since.
 * An endpoint that is down, or was when it was disabled, is probed first. Throws `not_found`.
 */
export async function enableEndpoint(db: Db, context: RequestContext, number: number): Promise<WebhookEndpoint> {
  return noted(context, await enable(db, context, { number }, {}))
}

/** Its object is woken whatever its state, and if nothing has changed: an earlier call of it may have been lost. */
function noted(context: RequestContext, endpoint: WebhookEndpoint): WebhookEndpoint {
  context.endpointsToWake.add(endpoint.id)
  return endpoint
}

const deleteRecord = deletionOf(recordParams, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.deleted',
  record: { id: sql<number>`${idIn(storeNumber, recordParams.number)}`.as('id') },
}))

/** The object deletes its deliveries when it is woken. Throws `not_found`. */
export async function deleteEndpoint(db: Db, context: RequestContext, number: number): Promise<void> {
  const { id } = await deleteRecord(db, context, recordValues({ number }))
  if (id !== null) context.endpointsToWake.add(id)
}
