/** Webhook endpoints (contract, section 11). When deliveries are made is checked by scenarios (exam/outages.ts). */
import { HOUR_MS, LENGTH, ROTATION } from '../../../src/limits.ts'
import { WEBHOOK } from '../../../src/modules/webhooks/limits.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { missingOf } from './input.ts'
import { byId, order, PAGE, page } from './lists.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { changesOf, type Event, iso, type State } from './state.ts'
import * as values from './values.ts'

const eventOf = (id: string, what: string, details: Row = {}): Event => ({
  type: `webhook_endpoint.${what}`,
  data: { webhook_endpoint_id: id, ...details },
})

/** A secret is shown once. */
const newSecret = ({ json: { secret } }: Call['drawn']) =>
  typeof secret === 'string' && /^whsec_[A-Za-z0-9+/]+=*$/.test(secret) ? secret : 'a secret'

/** Whether it is enabled depends on its receiver, too. */
const shown = ({ id, url, types, created_at }: Row): Row => ({ id, url, types, created_at, secret: undefined })

/** Two endpoints of a store cannot have one URL. */
const urlTaken: Outcome = { status: 422, code: 'already_exists', fields: ['url'] }

const hasUrl = ({ endpoints }: State, url: unknown) =>
  [...endpoints.values()].some((endpoint) => endpoint['url'] === url)

function create(state: State, { body, drawn, now }: Call): Outcome {
  const { url, types = null } = body
  if (hasUrl(state, url)) return urlTaken
  if (state.endpoints.size >= WEBHOOK.endpoints) return { status: 422, code: 'limit_reached', fields: ['url'] }
  const id = newId(state, drawn.json['id'] ?? drawn.events.map(({ data }) => toRow(data)['webhook_endpoint_id'])[0])
  const json = { id, url, types, created_at: iso(now) }
  state.endpoints.set(id, json)
  const fresh = { enabled: true, failing_since: null, last_status: null, secret: newSecret(drawn) }
  return { status: 201, body: { ...json, ...fresh }, events: [eventOf(id, 'created')], record: id }
}

function update(state: State, { id, body }: Call): Outcome {
  const endpoint = state.endpoints.get(id)
  if (!endpoint) return notFound
  if (body['url'] !== undefined && body['url'] !== endpoint['url'] && hasUrl(state, body['url'])) return urlTaken
  const next = { ...endpoint, ...body }
  state.endpoints.set(id, next)
  const { url, ...changes } = changesOf(endpoint, body)
  // A URL may contain a secret.
  const details = { ...(url !== undefined && { fields: ['url'] }), ...(Object.keys(changes).length > 0 && { changes }) }
  const events = Object.keys(details).length > 0 ? [eventOf(id, 'updated', details)] : []
  return { status: 200, body: shown(next), events }
}

function remove({ endpoints }: State, { id }: Call): Outcome {
  return endpoints.delete(id) ? { status: 204, text: '', events: [eventOf(id, 'deleted')] } : notFound
}

/** As with tokens: every secret signs until its own end, and at most four do at once. */
function rotateSecret(state: State, { id, body, drawn, now }: Call): Outcome {
  const endpoint = state.endpoints.get(id)
  if (!endpoint) return notFound
  const hours = Number(body['overlap_hours'] ?? ROTATION.overlapHours)
  const ends = (state.secretEnds.get(id) ?? []).filter((end) => end > now)
  if (hours > 0 && ends.length > ROTATION.secrets - 2) return invalid('overlap_hours')
  state.secretEnds.set(id, hours === 0 ? [] : [...ends, now + hours * HOUR_MS])
  return { status: 200, body: { ...shown(endpoint), secret: newSecret(drawn) }, events: [eventOf(id, 'updated')] }
}

const isSuccess = (status: unknown) => Number(status) >= 200 && Number(status) < 300

/** A receiver fails or not; the response says which. */
function test({ endpoints }: State, { id, drawn }: Call): Outcome {
  return endpoints.has(id) ? { status: 200, body: { status: drawn.json['status'] ?? null } } : notFound
}

/** Any event of the store that is kept. */
function redeliver({ endpoints, feed, oldest }: State, { id, request, drawn }: Call): Outcome {
  const event_id = /[^/]+(?=\/redeliver)/.exec(request.path)?.[0] ?? ''
  const event = Number(event_id) < oldest ? undefined : feed[Number(event_id) - 1]
  if (!endpoints.has(id) || !event) return notFound
  const isDelivered = isSuccess(drawn.json['last_status'])
  const state = isDelivered ? { state: 'delivered', next_attempt_at: null } : { state: 'pending' }
  return { status: 200, body: { event_id, type: event['type'], ...state } }
}

/** When there is a delivery is checked by scenarios; each is one of an event. */
function deliveriesOf({ feed }: State, { query, drawn }: Call): Row[] {
  return toRows(drawn.json['data'])
    .map(({ event_id, state }) => ({
      event_id,
      type: feed[Number(event_id) - 1]?.['type'],
      state: query['state'] ?? state,
    }))
    .toSorted((a, b) => Number(a.event_id) - Number(b.event_id))
}

const pageOfDeliveries = page(deliveriesOf, { usual: 'desc', mayBeShort: true })

function read(extra: Row) {
  return ({ endpoints }: State, { id }: Call): Outcome => {
    const endpoint = endpoints.get(id)
    return endpoint ? { status: 200, body: { ...shown(endpoint), ...extra } } : notFound
  }
}

/** https only, to public hosts, without credentials. The receivers of the simulation have names. */
const url = values.rule((value) => {
  const target = typeof value === 'string' && value.length <= LENGTH.url ? URL.parse(value) : null
  if (target?.protocol !== 'https:' || target.username !== '' || target.password !== '') return false
  return !/^[\d.]+$|^\[/.test(target.hostname) && !/\s/.test(String(value))
})

const types = values.optional(
  values.rule(
    (value) => Array.isArray(value) && value.length > 0 && value.every((type) => /^\w+\.\w+$/.test(String(type))),
  ),
)

const WRITE = { scope: 'webhooks:write', role: 'admin' } as const
const READ = { scope: 'webhooks:read', role: 'viewer' } as const

export const WEBHOOK_OPERATIONS: Record<string, Operation> = {
  'POST /webhook_endpoints': {
    ...WRITE,
    body: { url, types },
    required: missingOf('url'),
    takesTime: true,
    perform: create,
  },
  'GET /webhook_endpoints': {
    ...READ,
    query: PAGE,
    perform: page(({ endpoints }) => [...endpoints.values()].map(shown).toSorted(byId)),
  },
  'GET /webhook_endpoints/{id}': { ...READ, perform: read({}) },
  'PATCH /webhook_endpoints/{id}': { ...WRITE, body: { url: values.ifSent(url), types }, perform: update },
  'DELETE /webhook_endpoints/{id}': { ...WRITE, perform: remove },
  'POST /webhook_endpoints/{id}/rotate_secret': {
    ...WRITE,
    body: { overlap_hours: values.optional(values.integer(0, ROTATION.maxOverlapHours)) },
    perform: rotateSecret,
  },
  'POST /webhook_endpoints/{id}/enable': { ...WRITE, body: {}, perform: read({ enabled: true }) },
  'POST /webhook_endpoints/{id}/test': { ...WRITE, body: {}, perform: test },
  'GET /webhook_endpoints/{id}/deliveries': {
    ...READ,
    query: {
      state: values.ifSent(values.oneOf(['pending', 'delivered', 'failed'])),
      order: values.ifSent(order),
      ...PAGE,
    },
    perform: (state, call) => (state.endpoints.has(call.id) ? pageOfDeliveries(state, call) : notFound),
  },
  'POST /webhook_endpoints/{id}/deliveries/{event_id}/redeliver': { ...WRITE, body: {}, perform: redeliver },
}
