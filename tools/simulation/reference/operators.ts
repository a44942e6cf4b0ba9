/** Operators, whom only the root creates, changes and revokes (contract, section 7). */
import { LENGTH, MAX_OPERATOR_STORES } from '../../../src/limits.ts'
import { type Row, toRows } from '../rows.ts'
import { missingOf } from './input.ts'
import { byId, PAGE, page } from './lists.ts'
import { type Call, type Caller, invalid, notFound, type Operation, type Outcome, ROLES } from './operation.ts'
import { changesOf, type Event, iso, type State } from './state.ts'
import * as values from './values.ts'

/** An operator as the sender of requests. */
export function operatorOf({ operators }: State, id: string): Caller | undefined {
  const { json, secret } = operators.get(id) ?? {}
  const role = ROLES.find((each) => each === json?.['role'])
  if (!json || !role || json['revoked_at'] !== null) return undefined
  const stores = Array.isArray(json['stores']) ? { stores: json['stores'].map(String) } : {}
  return { secret, actor: { type: 'operator', id, name: json['name'] }, role, ...stores }
}

const eventOf = (what: string, id: string, more: Row = {}): Event => ({
  type: `operator.${what}`,
  data: { operator_id: id, ...more },
})

/** What another record decides: the stores must exist, and an email belongs to one operator. */
function check({ stores, operators }: State, { email, stores: slugs }: Row, own?: string): Outcome | undefined {
  const named = Array.isArray(slugs) ? slugs.map(String) : []
  const unknown = named.flatMap((slug, i) => (stores.has(slug) ? [] : [`stores.${i}`]))
  if (unknown.length > 0) return invalid(...unknown)
  const isTaken = [...operators].some(
    ([id, { json }]) =>
      id !== own &&
      json['revoked_at'] === null &&
      json['email'] &&
      values.emailKey(json['email']) === values.emailKey(email),
  )
  return isTaken ? { status: 422, code: 'already_exists', fields: ['email'] } : undefined
}

function create(state: State, { body, drawn, now }: Call): Outcome {
  const wrong = check(state, body)
  if (wrong) return wrong
  const { name, role, email = null, stores = null } = body
  const { id: drawnId, token } = drawn.json
  const id = /^[1-9]\d*$/.test(String(drawnId)) && !state.operators.has(String(drawnId)) ? String(drawnId) : 'a new id'
  const secret = typeof token === 'string' && /^rgo_[\w-]+$/.test(token) ? token : 'a token'
  const json = { id, name, role, email, stores, created_at: iso(now), revoked_at: null }
  state.operators.set(id, { json, secret })
  return { status: 201, body: { ...json, token: secret }, events: [eventOf('created', id)] }
}

function find({ operators }: State, { id }: Call) {
  const operator = operators.get(id)
  return operator?.json['revoked_at'] === null ? operator : undefined
}

function update(state: State, call: Call): Outcome {
  const { id, body } = call
  const unknown = check(state, { stores: body['stores'] })
  if (unknown) return unknown
  const operator = find(state, call)
  if (!operator) return notFound
  const wrong = check(state, body, id)
  if (wrong) return wrong
  const fields = Object.keys(changesOf(operator.json, body))
  const json = { ...operator.json, ...body }
  state.operators.set(id, { ...operator, json })
  const events = fields.length > 0 ? [eventOf('updated', id, { fields })] : []
  return { status: 200, body: { ...json, token: undefined }, events }
}

function revoke(state: State, call: Call): Outcome {
  const operator = find(state, call)
  if (!operator) return notFound
  state.operators.set(call.id, { ...operator, json: { ...operator.json, revoked_at: iso(call.now) } })
  return { status: 204, text: '', events: [eventOf('revoked', call.id)] }
}

/** Other clients have operators, too. */
function list({ operators }: State, { drawn }: Call): Row[] {
  const others = toRows(drawn.json['data']).filter(({ id }) => !operators.has(String(id)))
  const own = [...operators.values()].map(({ json }) => Object.assign({ token: undefined }, json))
  return [...own, ...others].toSorted(byId)
}

function readOwn(state: State, { caller }: Call): Outcome {
  const root = { id: null, name: 'root', role: 'root', email: null, stores: null }
  const { id, name, role, email, stores } = state.operators.get(String(caller.actor['id']))?.json ?? root
  return { status: 200, body: { id, name, role, email, stores } }
}

const role = values.oneOf(['viewer', 'office', 'admin'])
const stores = values.optional(
  values.rule(
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= MAX_OPERATOR_STORES &&
      new Set(value).size === value.length &&
      value.every((slug) => values.slug(slug, 0).length === 0),
  ),
)
const name = values.filled(LENGTH.name)
const email = values.optional(values.email)

export const OPERATOR_OPERATIONS: Record<string, Operation> = {
  'POST /admin/operators': {
    role: 'root',
    body: { name, role, email, stores },
    required: missingOf('name', 'role'),
    perform: create,
  },
  'GET /admin/operators': { role: 'viewer', query: PAGE, perform: page(list, { mayBeShort: true }) },
  'PATCH /admin/operators/{id}': {
    role: 'root',
    body: { name: values.ifSent(name), role: values.ifSent(role), email, stores },
    perform: update,
  },
  'DELETE /admin/operators/{id}': { role: 'root', perform: revoke },
  'GET /admin/operator': { role: 'viewer', perform: readOwn },
}
