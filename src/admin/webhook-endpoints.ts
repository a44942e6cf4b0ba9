import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import { numberOf } from '../db/ids.ts'
import { isLocal } from '../domain/environment.ts'
import { EVENT_TYPES } from '../domain/events/event-types.ts'
import { enableEndpoint } from '../domain/webhooks/enable.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRecord,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../domain/webhooks/endpoints.ts'
import { type Answered, send } from '../domain/webhooks/send.ts'
import { findUrlProblem, type UrlProblem } from '../domain/webhooks/urls.ts'
import type { Detail } from '../wire/errors.ts'
import { Hono } from '../http/hono.ts'
import { echo, jsonBody, noQuery, optionalBody, queryString } from '../http/validate.ts'
import { LENGTH, ROTATION } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { contextOf, numberInPath } from '../http/request-context.ts'
import { clearable, filledText, listQuery, noFields, optional, rotationBody, someOf } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { toTestMessage } from '../wire/webhooks.ts'

const endpointUrl = lazy(() => filledText(LENGTH.url).check(z.meta({ format: 'uri', maxLength: LENGTH.url })))
const endpointTypes = lazy(() => someOf(EVENT_TYPES, 'type'))

/** Types that are left out, or null, are all: those that are yet to come, too. */
export const createWebhookEndpointBody = lazy(() =>
  z.strictObject({ url: endpointUrl(), types: optional(endpointTypes()) }),
)

export const updateWebhookEndpointBody = lazy(() =>
  z.strictObject({
    url: z.optional(endpointUrl()),
    types: clearable(endpointTypes()),
  }),
)

/** Never with a secret, but in the answers that make one. */
export function toWebhookEndpoint(row: EndpointRecord) {
  return {
    id: String(numberOf(row.id)),
    url: row.url,
    types: row.types?.split(' ') ?? null,
    enabled: row.disabled_at === null,
    created_at: formatDateTime(row.created_at),
    failing_since: formatNullableDateTime(row.failing_since),
    disabled_at: formatNullableDateTime(row.disabled_at),
    next_attempt_at: formatNullableDateTime(row.next_attempt_at),
    last_status: row.last_status,
  }
}

/** What came back from a test. */
export function toTestResult({ status, duration_ms, failure }: Answered) {
  return { status, duration_ms, failure }
}

const URL_PROBLEMS: Record<UrlProblem, string> = {
  blanks: 'must have no blanks around it, and no line breaks in it',
  no_url: 'must be a URL',
  credentials: 'must not hold a user name or password',
  not_https: 'must be an https URL',
  not_public: 'must name a public host',
}

/** Where the service may send to depends on where it runs. */
function urlProblems(c: Context<AppEnv>, { url }: Record<string, unknown>): Detail[] {
  if (typeof url !== 'string') return []
  const problem = findUrlProblem(url, { isLocal: isLocal(c.env) })
  return problem === undefined ? [] : [{ field: 'url', value: echo(['url'], url), explanation: URL_PROBLEMS[problem] }]
}

export const webhookEndpoints = new Hono<AppEnv>()
  .post('/:store_id/webhook_endpoints', jsonBody(createWebhookEndpointBody, { check: urlProblems }), async (c) => {
    const { url, types } = c.req.valid('json')
    const row = await createEndpoint(c.get('db'), { call: contextOf(c), url, types })
    return c.json({ ...toWebhookEndpoint(row), secret: row.secret }, 201)
  })
  .get('/:store_id/webhook_endpoints', queryString(listQuery), async (c) => {
    return c.json(toPage(await listEndpoints(c.get('db'), contextOf(c), c.req.valid('query')), toWebhookEndpoint))
  })
  .get('/:store_id/webhook_endpoints/:id', noQuery(), async (c) => {
    return c.json(toWebhookEndpoint(await getEndpoint(c.get('db'), { call: contextOf(c), number: numberInPath(c) })))
  })
  .patch(
    '/:store_id/webhook_endpoints/:id',
    optionalBody(),
    jsonBody(updateWebhookEndpointBody, { check: urlProblems }),
    async (c) => {
      const { url, types } = c.req.valid('json')
      const change = { call: contextOf(c), number: numberInPath(c), url, types }
      return c.json(toWebhookEndpoint(await updateEndpoint(c.get('db'), change)))
    },
  )
  .delete('/:store_id/webhook_endpoints/:id', noQuery(), async (c) => {
    await deleteEndpoint(c.get('db'), { call: contextOf(c), number: numberInPath(c) })
    return c.body(null, 204)
  })
  .post('/:store_id/webhook_endpoints/:id/rotate_secret', optionalBody(), jsonBody(rotationBody), async (c) => {
    const { overlap_hours = ROTATION.overlapHours } = c.req.valid('json')
    const rotation = { call: contextOf(c), number: numberInPath(c), overlap_hours }
    const { row, secret } = await rotateSecret(c.get('db'), rotation)
    return c.json({ ...toWebhookEndpoint(row), secret })
  })
  .post('/:store_id/webhook_endpoints/:id/enable', optionalBody(), jsonBody(noFields), async (c) => {
    return c.json(toWebhookEndpoint(await enableEndpoint(c.get('db'), { call: contextOf(c), number: numberInPath(c) })))
  })
  .post('/:store_id/webhook_endpoints/:id/test', optionalBody(), jsonBody(noFields), async (c) => {
    const endpoint = await getEndpoint(c.get('db'), { call: contextOf(c), number: numberInPath(c) })
    return c.json(toTestResult(await send(endpoint, toTestMessage(contextOf(c), endpoint.id))))
  })
