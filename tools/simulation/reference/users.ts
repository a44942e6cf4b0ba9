/** Single users (contract, sections 3 and 9). */
import { LENGTH } from '../../../src/limits.ts'
import { isObject, missingOf } from './input.ts'
import {
  type Call,
  invalid,
  isMatch,
  knownEtag,
  mismatch,
  newEtag,
  newId,
  notFound,
  type Operation,
  type Outcome,
} from './operation.ts'
import type { State, User } from './state.ts'
import { CHANGE, changedUser, CREATE_V1, CREATE_V3, newUser, toV1, toV3, undefinedKeys } from './user-fields.ts'
import { toRow } from '../rows.ts'
import * as values from './values.ts'

export const emailTaken = (owner: User): Outcome => ({
  status: 422,
  code: 'email_taken',
  fields: ['email'],
  headers: { 'X-Existing-Id': String(owner.json['id']) },
})

function create(state: State, { version, body, drawn, now }: Call): Outcome {
  const isV3 = version === 'v3'
  const unknown = undefinedKeys(state, body['custom_fields'], { isV3 })
  if (unknown.length > 0) return invalid(...unknown)
  const owner = state.userWithEmail(body['email'])
  if (owner) return emailTaken(owner)
  const id = newId(state, drawn.json['id'] ?? toRow(drawn.events[0]?.['data'])['user_id'])
  const user = newUser(state, body, { id, etag: newEtag(drawn), now })
  state.users.set(id, user)
  return {
    status: 201,
    body: isV3 ? toV3(user) : toV1(user),
    headers: { ETag: user.etag, 'Idempotent-Replayed': null },
    events: [{ type: 'user.created', data: { user_id: id } }],
    record: id,
  }
}

function read({ users }: State, { id, drawn }: Call): Outcome {
  const user = users.get(id)
  return user ? { status: 200, body: toV1(user), headers: { ETag: knownEtag(user, drawn) } } : notFound
}

function change(state: State, call: Call): Outcome {
  const { id, body, drawn, now } = call
  const unknown = undefinedKeys(state, body['custom_fields'], { isChange: true })
  if (unknown.length > 0) return invalid(...unknown)
  const before = state.users.get(id)
  if (!before) return notFound
  if (!isMatch(call, before.etag)) return mismatch
  const owner = body['email'] === undefined ? undefined : state.userWithEmail(body['email'])
  if (owner && owner !== before) return emailTaken(owner)
  const { user, changed } = changedUser(before, body, now)
  // The limit holds however many requests the fields come in.
  if (values.isTooLarge(toRow(user.json['custom_fields']))) return invalid('custom_fields')
  if (changed.length === 0) return { status: 200, body: toV1(user), headers: { ETag: user.etag } }
  const etag = newEtag(drawn, before.etag)
  state.users.set(id, { ...user, etag })
  const events = [{ type: 'user.updated', data: { user_id: id, fields: changed } }]
  return { status: 200, body: toV1(user), headers: { ETag: etag }, events }
}

/** It removes the person; the events of the user stay in the feed. */
function erase(state: State, call: Call): Outcome {
  const user = state.users.get(call.id)
  if (!user) return notFound
  if (!isMatch(call, user.etag)) return mismatch
  state.erase(call.id)
  return { status: 204, text: '', events: [{ type: 'user.erased', data: { user_id: call.id } }] }
}

function verifyPassword(state: State, { body }: Call): Outcome {
  const user = state.userWithEmail(body['email'])
  const isRight = user?.password !== undefined && user.password === body['password']
  return { status: 200, body: isRight ? { verified: true, user: toV1(user) } : { verified: false, user: undefined } }
}

const required = missingOf('name', 'last_name', 'email')
const SENT_ON_V3 = Object.keys(CREATE_V3)

export const USER_OPERATIONS: Record<string, Operation> = {
  'POST /users': {
    scope: 'users:write',
    role: 'office',
    body: CREATE_V1,
    required,
    ignoresUnknown: true,
    key: 'v1',
    perform: create,
  },
  'POST /v3/public/users': {
    scope: 'users:write',
    role: 'office',
    body: CREATE_V3,
    required: (body) => {
      const { custom_fields } = body
      const hasField1 = !isObject(custom_fields) || toRow(custom_fields)['field1'] != null
      return [...missingOf(...SENT_ON_V3)(body), ...(hasField1 ? [] : ['custom_fields.field1'])]
    },
    ignoresUnknown: true,
    key: 'v3',
    perform: create,
  },
  'GET /users/{id}': { scope: 'users:read', role: 'viewer', perform: read },
  'PATCH /users/{id}': { scope: 'users:write', role: 'office', body: CHANGE, perform: change },
  'DELETE /users/{id}': { scope: 'users:erase', role: 'admin', perform: erase },
  'POST /users/verify_password': {
    scope: 'passwords:verify',
    role: 'admin',
    body: { email: values.email, password: values.filled(LENGTH.password) },
    required: missingOf('email', 'password'),
    perform: verifyPassword,
  },
}
