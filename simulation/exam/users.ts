/** The tasks about single users. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { toRow, type Row } from '../rows.ts'
import { createWithKey } from './claims.ts'
import { createdUser, newPerson, newPersonV3, REMOVABLE, swapCase } from './people.ts'
import { type Caller, type Examiner, type Expected, type Made, type Prepared } from './examiner.ts'
import { iso, toV3, type UserModel, withFields } from './model.ts'
import { NO_ID, notFound, ofStore, type Task } from './task.ts'

const userCreated = ({ id }: Made) => [{ type: 'user.created', data: { user_id: id } }]

/** A field without a value must be absent. */
const withoutValues = () => Object.fromEntries(REMOVABLE.map((name) => [name, undefined]))

/** What a create of this body must return, without a key. */
export function expectCreate(exam: Examiner, body: Row, isV3: boolean): Expected {
  const unknown = Object.keys(toRow(body['custom_fields'])).filter(
    (key) => !exam.model.fields.has(key) && !(isV3 && key === 'field1'),
  )
  if (unknown.length > 0) {
    return { status: 422, code: 'invalid_parameter', fields: unknown.map((key) => `custom_fields.${key}`) }
  }
  const owner = exam.model.userWithEmail(body['email'])
  if (owner) {
    return {
      status: 422,
      code: 'email_taken',
      fields: ['email'],
      headers: { 'X-Existing-Id': String(owner.json['id']) },
    }
  }
  const json = (made: Made) => {
    const user = createdUser(exam, body, made)
    if (isV3) return toV3(user)
    return { ...withoutValues(), password: undefined, ...user.json }
  }
  return { status: 201, json, events: userCreated, headers: { 'Idempotent-Replayed': null } }
}

function prepareCreate(isV3: boolean) {
  return (exam: Examiner, random: Random, caller: Caller): Prepared => {
    const path = isV3 ? '/v3/public/users' : '/users'
    const body = isV3 ? newPersonV3(exam, random) : newPerson(exam, random)
    const variant = random.weighted({ valid: 4, taken: 1, unknown: 1, missing: 0.7, invalid: 0.7, both: 0.5, keyed: 4 })
    const [someone] = [...exam.model.users.values()].slice(-1 - random.below(5))
    if (variant === 'missing') {
      delete body['last_name']
      return {
        path,
        body: { ...body, email: null },
        expected: { status: 400, code: 'missing_parameter', fields: ['last_name'] },
      }
    }
    if (variant === 'invalid') {
      const wrong = { ...body, email: 'nobody', country: 'U1' }
      return { path, body: wrong, expected: { status: 422, code: 'invalid_parameter', fields: ['email', 'country'] } }
    }
    if ((variant === 'taken' || variant === 'both') && someone) {
      body['email'] = swapCase(String(someone.json['email']))
    }
    if (variant === 'unknown' || variant === 'both') {
      body['custom_fields'] = { ...toRow(body['custom_fields']), nobody_defined_this: 1 }
    }
    const apply = (made: Made) => void exam.model.users.set(made.id, createdUser(exam, body, made))
    const operation = isV3 ? 'v3' : 'v1'
    if (variant === 'keyed') {
      return createWithKey({
        exam,
        random,
        caller,
        operation,
        path,
        body,
        expect: (sent) => expectCreate(exam, sent, isV3),
        toApply: (sent) => (made) => void exam.model.users.set(made.id, createdUser(exam, sent, made)),
      })
    }
    return { path, body, expected: expectCreate(exam, body, isV3), apply }
  }
}

/** The headers of a conditional request, and whether the record is in the state that they name. */
export function pickIfMatch(random: Random, etag: string): { headers: Record<string, string>; matches: boolean } {
  const kind = random.weighted({ none: 5, same: 2, any: 0.5, list: 1, other: 1, weak: 0.5 })
  if (kind === 'none') return { headers: {}, matches: true }
  const [id] = /\d+/.exec(etag) ?? ['1']
  const tags = { same: etag, any: '*', list: `"${id}-1", ${etag}`, other: `"${id}-1"`, weak: `W/${etag}` }
  return { headers: { 'If-Match': tags[kind] }, matches: kind !== 'other' && kind !== 'weak' }
}

const mismatch: Expected = { status: 412, code: 'etag_mismatch' }

function changesOf(exam: Examiner, random: Random): Row {
  const { email: _, last_name, ...other } = newPerson(exam, random)
  const fields = Object.entries({ ...other, last_name }).filter(() => random.chance(0.5))
  const cleared = REMOVABLE.filter(() => random.chance(0.1))
  const removed = [...exam.model.fields.keys(), 'gone'].filter(() => random.chance(0.1)).map((key) => [key, null])
  const set: Row = { ...Object.fromEntries(fields), ...Object.fromEntries(cleared.map((name) => [name, null])) }
  if (set['custom_fields'] !== null && removed.length > 0)
    set['custom_fields'] = { ...toRow(set['custom_fields']), ...Object.fromEntries(removed) }
  return set
}

/** The fields of a user after a PATCH, and the names of those that have changed. */
export function changeUser(user: UserModel, set: Row): { json: Row; changed: string[] } {
  const { password, custom_fields, country, ...fields } = set
  const upper = typeof country === 'string' ? country.toUpperCase() : country
  const merged = withFields(toRow(user.json['custom_fields']), toRow(custom_fields))
  const json = withFields(user.json, {
    ...fields,
    ...('country' in set && { country: upper }),
    ...(custom_fields !== undefined && {
      custom_fields: custom_fields !== null && Object.keys(merged).length > 0 ? merged : null,
    }),
  })
  const names = new Set([...Object.keys(json), ...Object.keys(user.json)])
  const changed = [...names].filter((name) => JSON.stringify(json[name]) !== JSON.stringify(user.json[name]))
  return { json, changed: password === undefined ? changed : [...changed, 'password'] }
}

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  const body = changesOf(exam, random)
  if (!user || random.chance(0.05))
    return { path: `/users/${NO_ID}`, body, expected: { ...notFound, code: 'not_found' } }
  const path = `/users/${String(user.json['id'])}`
  const { headers, matches } = pickIfMatch(random, user.etag)
  if (random.chance(0.1)) {
    const expected = { status: 422, code: 'invalid_parameter', fields: ['custom_fields.nobody_defined_this'] }
    return { path, headers, body: { ...body, custom_fields: { nobody_defined_this: 1 } }, expected }
  }
  const other = random.chance(0.25) ? pickUser(exam, random) : undefined
  if (other) body['email'] = random.chance(0.5) ? other.json['email'] : swapCase(String(user.json['email']))
  else if (random.chance(0.4)) body['email'] = newPerson(exam, random)['email']
  if (!matches) return { path, headers, body, expected: mismatch }
  const owner = 'email' in body ? exam.model.userWithEmail(body['email']) : undefined
  if (owner && owner !== user) {
    return {
      path,
      headers,
      body,
      expected: { status: 422, code: 'email_taken', headers: { 'X-Existing-Id': String(owner.json['id']) } },
    }
  }
  const { json, changed } = changeUser(user, body)
  return { path, headers, body, ...updated(exam, user, json, changed, body['password']) }
}

function updated(exam: Examiner, user: UserModel, next: Row, changed: string[], password: unknown) {
  const id = String(user.json['id'])
  const isChanged = changed.length > 0
  const json = isChanged ? { ...next, updated_at: iso(exam.now) } : next
  const expected: Expected = {
    status: 200,
    json: () => ({ ...withoutValues(), ...json }),
    ...(isChanged
      ? { events: () => [{ type: 'user.updated', data: { user_id: id, fields: changed } }] }
      : { headers: { ETag: user.etag } }),
  }
  const apply = ({ etag }: Made) =>
    void exam.model.users.set(id, { json, etag, password: typeof password === 'string' ? password : user.password })
  return { expected, apply }
}

export function pickUser(exam: Examiner, random: Random): UserModel | undefined {
  const users = [...exam.model.users.values()]
  return users.length === 0 ? undefined : random.pick(users)
}

function prepareErase(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  if (!user || exam.model.users.size < 4)
    return { path: `/users/${NO_ID}`, expected: { ...notFound, code: 'not_found' } }
  const id = String(user.json['id'])
  const { headers, matches } = pickIfMatch(random, user.etag)
  if (!matches) return { path: `/users/${id}`, headers, expected: mismatch }
  const events = () => [{ type: 'user.erased', data: { user_id: id } }]
  return {
    path: `/users/${id}`,
    headers,
    expected: { status: 204, text: '', events },
    apply: () => exam.model.eraseUser(id),
  }
}

function prepareRead(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  if (!user) return { path: `/users/${NO_ID}`, expected: notFound }
  return {
    path: `/users/${String(user.json['id'])}`,
    expected: { status: 200, json: () => user.json, headers: { ETag: user.etag } },
  }
}

function prepareVerify(exam: Examiner, random: Random): Prepared {
  const known = [...exam.model.users.values()].filter(({ password }) => password !== null)
  const user = known.length > 0 && random.chance(0.9) ? random.pick(known) : undefined
  const email = user ? swapCase(String(user.json['email'])) : 'nobody@example.com'
  const password = random.chance(0.6) && user?.password ? user.password : contract.passwordOf(random.below(3))
  const isRight = user !== undefined && user.password === password
  const json = () => (isRight ? { verified: true, user: user.json } : { verified: false, user: undefined })
  return { path: '/users/verify_password', body: { email, password }, expected: { status: 200, json } }
}

export const USER_TASKS: Task[] = [
  ...ofStore('POST /users', 'users:write', prepareCreate(false), { acceptsUnknown: true }),
  {
    operation: 'POST /v3/public/users',
    mount: 'v3',
    scope: 'users:write',
    acceptsUnknown: true,
    prepare: prepareCreate(true),
  },
  ...ofStore('GET /users/{id}', 'users:read', prepareRead),
  ...ofStore('PATCH /users/{id}', 'users:write', prepareUpdate),
  ...ofStore('DELETE /users/{id}', 'users:erase', prepareErase),
  ...ofStore('POST /users/verify_password', 'passwords:verify', prepareVerify),
]
