import * as z from 'zod/mini'
import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { WebhookEndpoint } from '../../db/schema/stores.ts'
import { isLocal } from '../../lib/environment.ts'
import { EVENT_TYPES } from '../../change/event-types.ts'
import { createEndpoint } from './create-endpoint.ts'
import {
  deleteEndpoint,
  enableEndpoint,
  getEndpoint,
  listEndpoints,
  updateEndpoint,
  rotateSecret,
} from './endpoints.ts'
import { nextAttemptOf, stateOf } from './health.ts'
import { findUrlProblem, type UrlProblem } from './urls.ts'
import type { Detail } from '../../http/errors/api-error.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { type Context, Hono } from '../../http/hono.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { echo } from '../../http/echo.ts'
import { jsonBody, noBody, noQuery, optionalBody, queryString } from '../../http/middleware/validate.ts'
import { lazy } from '../../lib/lazy.ts'
import { LENGTH, ROTATION } from '../../limits.ts'
import { clearable, filledText, optional, rotationBody, someOf } from '../../formats/values.ts'
import { listQuery, toPage } from '../../formats/pages.ts'

const endpointUrl = lazy(() => filledText(LENGTH.url).check(z.meta({ format: 'uri', maxLength: LENGTH.url })))
const endpointTypes = lazy(() => someOf(EVENT_TYPES, 'type'))

/** If `types` is omitted or null, the endpoint gets all types, those that are added later included. */
const createWebhookEndpointBody = lazy(() => z.strictObject({ url: endpointUrl(), types: optional(endpointTypes()) }))

const updateWebhookEndpointBody = lazy(() =>
  z.strictObject({
    url: z.optional(endpointUrl()),
    types: clearable(endpointTypes()),
  }),
)

/** Without the secret: only the responses that create one show it. */
export function toWebhookEndpoint(row: WebhookEndpoint, now: number) {
  return {
    id: String(numberOf(row.id)),
    url: row.url,
    types: row.types?.split(' ') ?? null,
    enabled: row.disabled_at === null,
    state: stateOf(row),
    created_at: formatDateTime(row.created_at),
    failing_since: formatNullableDateTime(row.failing_since),
    disabled_at: formatNullableDateTime(row.disabled_at),
    next_attempt_at: formatNullableDateTime(nextAttemptOf(row, now)),
    last_status: row.last_status,
  }
}

const URL_PROBLEMS: Record<UrlProblem, string> = {
  blanks: 'must have no blanks around it, and no line breaks in it',
  no_url: 'must be a URL',
  credentials: 'must not hold a user name or password',
  not_https: 'must be an https URL',
  not_public: 'must name a public host',
}

/** On a developer's machine, the service may also send to the machine itself. */
function urlProblems(c: Context, { url }: Record<string, unknown>): Detail[] {
  if (typeof url !== 'string') return []
  const problem = findUrlProblem(url, { isLocal: isLocal(c.env) })
  return problem === undefined ? [] : [{ field: 'url', value: echo(['url'], url), explanation: URL_PROBLEMS[problem] }]
}

function toJson(c: Context) {
  return (row: WebhookEndpoint) => toWebhookEndpoint(row, c.get('now'))
}

const PATH = '/:store_id/webhook_endpoints'
const ONE = `${PATH}/:id` as const

export const webhookEndpoints = new Hono()
  .post(
    PATH,
    requireScope('webhooks:write'),
    jsonBody(createWebhookEndpointBody, { check: urlProblems }),
    async (c) => {
      const { url, types } = c.req.valid('json')
      const row = await createEndpoint(c.get('db'), contextOf(c), { url, types })
      return c.json({ ...toJson(c)(row), secret: row.secret }, 201)
    },
  )
  .get(PATH, requireScope('webhooks:read'), queryString(listQuery), async (c) => {
    return c.json(toPage(await listEndpoints(c.get('db'), contextOf(c), c.req.valid('query')), toJson(c)))
  })
  .get(ONE, requireScope('webhooks:read'), noQuery(), async (c) => {
    return c.json(toJson(c)(await getEndpoint(c.get('db'), contextOf(c), numberInPath(c))))
  })
  .patch(
    ONE,
    requireScope('webhooks:write'),
    optionalBody(updateWebhookEndpointBody, { check: urlProblems }),
    async (c) => {
      const { url, types } = c.req.valid('json')
      const update = { number: numberInPath(c), url, types }
      return c.json(toJson(c)(await updateEndpoint(c.get('db'), contextOf(c), update)))
    },
  )
  .delete(ONE, requireScope('webhooks:write'), noQuery(), async (c) => {
    await deleteEndpoint(c.get('db'), contextOf(c), numberInPath(c))
    return c.body(null, 204)
  })
  .post(`${ONE}/rotate_secret`, requireScope('webhooks:write'), optionalBody(rotationBody), async (c) => {
    const { overlap_hours = ROTATION.overlapHours } = c.req.valid('json')
    const rotation = { number: numberInPath(c), overlap_hours }
    const { endpoint, secret } = await rotateSecret(c.get('db'), contextOf(c), rotation)
    return c.json({ ...toJson(c)(endpoint), secret })
  })
  .post(`${ONE}/enable`, requireScope('webhooks:write'), noBody(), async (c) => {
    return c.json(toJson(c)(await enableEndpoint(c.get('db'), contextOf(c), numberInPath(c))))
  })
