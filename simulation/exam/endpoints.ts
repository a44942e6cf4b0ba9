/** The tasks about webhook endpoints that nothing else uses. The checks of webhooks have endpoints of their own. */
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Expected, Made, Prepared } from './examiner.ts'
import { NO_ID, notFound, ofStore, type Task } from './task.ts'

/** How many endpoints a store may have. */
export const MAX_ENDPOINTS = 16

const TYPES = ['product.created', 'custom_field.created', 'product.deleted']

function prepareCreate(exam: Examiner, random: Random): Prepared {
  const path = '/webhook_endpoints'
  const url = `https://hooks.example.com/${exam.model.slug}/${exam.slug('endpoint')}`
  if (random.chance(0.3)) {
    const wrong = random.pick([
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      'https://user@hooks.example.com/',
      'https://[fd00::1]/',
    ])
    return { path, body: { url: wrong }, expected: { status: 422, code: 'invalid_parameter', fields: ['url'] } }
  }
  const types = [random.pick(TYPES)]
  if (exam.model.endpoints.size >= MAX_ENDPOINTS)
    return { path, body: { url, types }, expected: { status: 422, code: 'limit_reached', fields: ['url'] } }
  const json = ({ id, at }: Made) => {
    return { id, url, types, enabled: true, created_at: iso(at), failing_since: null, last_status: null }
  }
  const events = ({ id }: Made) => [{ type: 'webhook_endpoint.created', data: { webhook_endpoint_id: id } }]
  const apply = (made: Made) => void exam.model.endpoints.set(made.id, json(made))
  return { path, body: { url, types }, expected: { status: 201, json, events }, apply }
}

function pick(exam: Examiner, random: Random): { path: string; endpoint: Row; id: string } | undefined {
  const own = [...exam.model.endpoints.entries()].filter(([, { isKept }]) => isKept !== true)
  if (own.length === 0 || random.chance(0.1)) return undefined
  const [id, endpoint] = random.pick(own)
  return { path: `/webhook_endpoints/${id}`, endpoint, id }
}

/** What a response shows of the endpoint, except for its last delivery. */
function shown({ id, url, types, enabled, created_at }: Row): Row {
  return { id, url, types, enabled, created_at }
}

const missing = (path = '', body?: Row): Prepared => ({
  path: `/webhook_endpoints/${NO_ID}${path}`,
  ...(body && { body }),
  expected: notFound,
})

function prepareRead(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  return found
    ? { path: found.path, expected: { status: 200, json: () => ({ ...shown(found.endpoint), secret: undefined }) } }
    : missing()
}

const updatedEvent = (id: string) => [{ type: 'webhook_endpoint.updated', data: { webhook_endpoint_id: id } }]

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  const types = random.pick([null, [random.pick(TYPES)]])
  const body: Row = random.pick([
    {},
    { types },
    { types, url: `https://hooks.example.com/${exam.model.slug}/${exam.slug('moved')}` },
  ])
  if (!found) return missing('', body)
  const { path, endpoint, id } = found
  const next = { ...endpoint, ...body }
  const isChanged = JSON.stringify(next) !== JSON.stringify(endpoint)
  const expected: Expected = {
    status: 200,
    json: () => shown(next),
    ...(isChanged && { events: () => updatedEvent(id) }),
  }
  return { path, body, expected, apply: () => void exam.model.endpoints.set(id, next) }
}

function prepareDelete(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  if (!found) return missing()
  const events = () => [{ type: 'webhook_endpoint.deleted', data: { webhook_endpoint_id: found.id } }]
  const apply = () => void exam.model.endpoints.delete(found.id)
  return { path: found.path, expected: { status: 204, text: '', events }, apply }
}

function prepareRotate(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  const body = { overlap_hours: 0 }
  if (!found) return missing('/rotate_secret', body)
  return {
    path: `${found.path}/rotate_secret`,
    body,
    expected: { status: 200, json: () => shown(found.endpoint), events: () => updatedEvent(found.id) },
  }
}

function prepareEnable(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  if (!found) return missing('/enable')
  return {
    path: `${found.path}/enable`,
    expected: { status: 200, json: () => ({ ...shown(found.endpoint), enabled: true }) },
  }
}

function prepareTest(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  return found
    ? { path: `${found.path}/test`, expected: { status: 200, json: () => ({ status: 204 }) } }
    : missing('/test')
}

function prepareDeliveries(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  if (!found) return missing('/deliveries')
  const state = random.pick(['', '&state=delivered'])
  const json = ({ json }: Made) => ({ data: Array.isArray(json['data']) ? [...json['data']] : 'a list' })
  return { path: `${found.path}/deliveries?limit=100${state}`, expected: { status: 200, json } }
}

function prepareRedeliver(exam: Examiner, random: Random): Prepared {
  const found = pick(exam, random)
  if (!found) return missing('/deliveries/1/redeliver')
  if (random.chance(0.2)) return { path: `${found.path}/deliveries/${NO_ID}/redeliver`, expected: notFound }
  // The store's first event is sent to an endpoint that is younger.
  const json = () => ({ event_id: '1', state: 'delivered', last_status: 204, next_attempt_at: null })
  return { path: `${found.path}/deliveries/1/redeliver`, expected: { status: 200, json } }
}

export const ENDPOINT_TASKS: Task[] = [
  ...ofStore('POST /webhook_endpoints', prepareCreate),
  ...ofStore('GET /webhook_endpoints/{id}', prepareRead),
  ...ofStore('PATCH /webhook_endpoints/{id}', prepareUpdate),
  ...ofStore('DELETE /webhook_endpoints/{id}', prepareDelete),
  ...ofStore('POST /webhook_endpoints/{id}/rotate_secret', prepareRotate),
  ...ofStore('POST /webhook_endpoints/{id}/enable', prepareEnable),
  ...ofStore('POST /webhook_endpoints/{id}/test', prepareTest),
  ...ofStore('GET /webhook_endpoints/{id}/deliveries', prepareDeliveries),
  ...ofStore('POST /webhook_endpoints/{id}/deliveries/{event_id}/redeliver', prepareRedeliver),
]
