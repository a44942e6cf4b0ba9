/** Access tokens: what operators do with them, and what a token does with itself (contract, sections 6, 7 and 9). */
import { HOUR_MS, LENGTH, ROTATION } from '../../../src/limits.ts'
import { SCOPES } from '../world/openapi-document.ts'
import { type Row, toRow } from '../rows.ts'
import { missingOf } from './input.ts'
import { byId, PAGE, page } from './lists.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { updated } from './setup.ts'
import { iso, type State, type Token } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

/** What the operations of the specification need. */
const DEFAULT_SCOPES = ['users:write', 'product_accesses:write']

/** A secret is shown once. A new one has a form that secret scanners recognize. */
function newSecret({ json: { token }, text }: Call['drawn']): string | undefined {
  // If no response came, nobody knows the secret.
  if (text === undefined) return undefined
  const isSecret = typeof token === 'string' && /^rgs_[\w-]+$/.test(token) && token.length <= 160
  return isSecret ? token : 'a token'
}

function create(state: State, { body, drawn, now }: Call): Outcome {
  const id = newId(state, drawn.json['id'] ?? drawn.events.map((event) => toRow(event['data'])['access_token_id'])[0])
  const scopes = Array.isArray(body['scopes']) ? body['scopes'].map(String) : DEFAULT_SCOPES
  const expires_at = values.storedTime(body['expires_at'])
  const json = { id, name: body['name'], scopes, created_at: iso(now), expires_at, revoked_at: null }
  const secret = newSecret(drawn)
  state.tokens.set(id, { id, json, secret, scopes, older: [] })
  return {
    status: 201,
    body: { ...json, token: secret },
    events: [{ type: 'access_token.created', data: { access_token_id: id } }],
    record: id,
  }
}

const isRevoked = ({ json }: Token) => json['revoked_at'] !== null

function find({ tokens }: State, { id }: Call): Token | undefined {
  const token = tokens.get(id)
  return token && !isRevoked(token) ? token : undefined
}

function update(state: State, call: Call): Outcome {
  const token = find(state, call)
  if (!token) return notFound
  const { expires_at } = call.body
  const set = { ...call.body, ...('expires_at' in call.body && { expires_at: values.storedTime(expires_at) }) }
  const { outcome, json } = updated(token.json, set, 'access_token.updated', { access_token_id: token.id })
  const scopes = Array.isArray(json['scopes']) ? json['scopes'].map(String) : []
  state.tokens.set(token.id, { ...token, json, scopes })
  return { ...outcome, body: { ...json, token: undefined } }
}

/** Every replaced secret is valid until its own end, and at most four are valid at once. 0 ends every older one at once. */
function rotate(state: State, token: Token, { body, drawn, now }: Call): Outcome {
  const hours = Number(body['overlap_hours'] ?? ROTATION.overlapHours)
  const stillValid = token.older.filter(({ until }) => until > now)
  if (hours > 0 && stillValid.length > ROTATION.secrets - 2) return invalid('overlap_hours')
  const older = token.older.map((each) => ({ ...each, until: hours === 0 ? 0 : each.until }))
  // A secret that nobody knows, because no response came, counts all the same.
  older.push({ secret: token.secret, until: hours === 0 ? 0 : now + hours * HOUR_MS })
  const secret = newSecret(drawn)
  state.tokens.set(token.id, { ...token, secret, older })
  const events = [{ type: 'access_token.rotated', data: { access_token_id: token.id } }]
  return { status: 200, body: { ...token.json, token: secret }, events }
}

function revoke(state: State, token: Token, now: number) {
  state.tokens.set(token.id, { ...token, json: { ...token.json, revoked_at: iso(now) } })
  return { type: 'access_token.revoked', data: { access_token_id: token.id } }
}

function revokeOne(state: State, call: Call): Outcome {
  const token = find(state, call)
  return token ? { status: 204, text: '', events: [revoke(state, token, call.now)] } : notFound
}

function revokeAll(state: State, { now }: Call): Outcome {
  const valid = [...state.tokens.values()].filter((token) => !isRevoked(token))
  return { status: 200, body: { revoked: valid.length }, events: valid.map((token) => revoke(state, token, now)) }
}

function ownJson({ slug, json }: State, token: Token | undefined): Row {
  const { id, name, scopes, created_at, expires_at } = token?.json ?? {}
  const { id: _, name: storeName, language, time_zone } = json
  const store = { id: slug, name: storeName, language, time_zone }
  return { id, store_id: slug, store, name, scopes, created_at, expires_at }
}

function rotateOwn(state: State, call: Call): Outcome {
  const { token } = call.caller
  if (!token) return notFound
  const outcome = rotate(state, token, call)
  return outcome.status === 200
    ? { ...outcome, body: { ...ownJson(state, token), token: outcome.body?.['token'] } }
    : outcome
}

const scopes: Rule = values.rule(
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((scope) => SCOPES.includes(scope)),
)
const inFuture: Rule = (value, now) => ((values.parseDateTime(value) ?? 0) > now ? [] : [''])
const expires_at = values.optional(inFuture)
const overlap = (least: number) => ({ overlap_hours: values.optional(values.integer(least, ROTATION.maxOverlapHours)) })
export const TOKEN_OPERATIONS: Record<string, Operation> = {
  'POST /tokens': {
    role: 'admin',
    body: { name: values.filled(LENGTH.name), scopes: values.optional(scopes), expires_at },
    required: missingOf('name'),
    perform: create,
  },
  'GET /tokens': {
    role: 'viewer',
    query: { order: values.ifSent(values.oneOf(['asc', 'desc'])), ...PAGE },
    perform: page(({ tokens }) =>
      [...tokens.values()].map(({ json }) => Object.assign({ token: undefined }, json)).toSorted(byId),
    ),
  },
  'PATCH /tokens/{id}': {
    role: 'admin',
    body: { name: values.ifSent(values.filled(LENGTH.name)), scopes: values.ifSent(scopes), expires_at },
    perform: update,
  },
  'DELETE /tokens/{id}': { role: 'admin', perform: revokeOne },
  'POST /tokens/{id}/rotate': {
    role: 'admin',
    body: overlap(0),
    perform: (state, call) => {
      const token = find(state, call)
      return token ? rotate(state, token, call) : notFound
    },
  },
  'POST /tokens/revoke_all': { role: 'admin', body: {}, perform: revokeAll },
  'GET /v1/token': {
    role: 'viewer',
    perform: (state, { caller }) => ({ status: 200, body: { ...ownJson(state, caller.token), token: undefined } }),
  },
  // Only with the current secret (callers.ts).
  'POST /v1/token/rotate': { role: 'admin', body: overlap(1), perform: rotateOwn },
}
