/** The tasks about single users, and creates with an idempotency key. */
import type { Caller } from '../reference/operation.ts'
import { claimName } from '../reference/claims.ts'
import type { Random } from '../world/random.ts'
import { toRow, type Row } from '../rows.ts'
import type { Examiner, Prepared } from './examiner.ts'
import * as contract from '../contract.ts'
import type { User } from '../reference/state.ts'
import { REMOVABLE } from '../reference/user-fields.ts'
import { newPerson, newPersonV3, swapCase } from './people.ts'
import { NO_ID, ofStore, type Task, taskOf } from './task.ts'

const NAMES = ['X-Idempotency-Key', 'X-Idempotency-Key', 'Idempotency-Key']

/** The same body, with each of its numbers written with one more digit: another request. */
function withMoreDigits(body: Row): Row {
  const more = (digits: string) => digits.replace(/(\.\d+)?(?=e|$)/, (fraction) => `${fraction || '.'}0`)
  return toRow(
    JSON.parse(JSON.stringify(body), (_key, value, { source }) =>
      typeof value === 'number' ? JSON.rawJSON(more(source)) : value,
    ),
  )
}

/** Sends a create with one of a few keys, sometimes with the body that was sent with it before, or nearly that. */
export function withKey(exam: Examiner, random: Random, caller: Caller, kind: string, prepared: Prepared): Prepared {
  const key = `key-${random.below(5)}`
  const claim = exam.model.claims.get(claimName(caller, kind, key))
  // The order of the fields does not matter.
  const first: Row | undefined = claim && Object.fromEntries(Object.entries(claim.body).toReversed())
  const variant = first ? random.weighted({ same: 5, digits: 2, other: 3 }) : 'other'
  const repeated = first && (variant === 'same' ? first : withMoreDigits(first))
  const body = variant === 'other' ? prepared.body : repeated
  return { ...prepared, ...(body && { body }), headers: { [random.pick(NAMES)]: key } }
}

function prepareCreate(isV3: boolean) {
  return (exam: Examiner, random: Random, caller: Caller): Prepared => {
    const path = isV3 ? '/v3/public/users' : '/users'
    const body = isV3 ? newPersonV3(exam, random) : newPerson(exam, random)
    const variant = random.weighted({ valid: 4, taken: 1, unknown: 1, both: 0.5, keyed: 4 })
    const [someone] = [...exam.model.users.values()].slice(-1 - random.below(5))
    if ((variant === 'taken' || variant === 'both') && someone) body['email'] = swapCase(String(someone.json['email']))
    if (variant === 'unknown' || variant === 'both')
      body['custom_fields'] = { ...toRow(body['custom_fields']), nobody_defined_this: 1 }
    const prepared = { path, body }
    return variant === 'keyed' ? withKey(exam, random, caller, isV3 ? 'v3' : 'v1', prepared) : prepared
  }
}

/** The headers of a conditional request. */
export function pickIfMatch(random: Random, etag = ''): Record<string, string> {
  const kind = random.weighted({ none: 5, same: 2, any: 0.5, list: 1, other: 1, weak: 0.5 })
  // Nobody knows the ETag of what a batch has written until it is read.
  if (kind === 'none' || etag === '') return {}
  const [id] = /\d+/.exec(etag) ?? ['1']
  const tags = { same: etag, any: '*', list: `"${id}-1", ${etag}`, other: `"${id}-1"`, weak: `W/${etag}` }
  return { 'If-Match': tags[kind] }
}

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

export function pickUser(exam: Examiner, random: Random): User | undefined {
  const users = [...exam.model.users.values()]
  return users.length === 0 ? undefined : random.pick(users)
}

/** The path of a user: of none, sometimes. */
const pathOf = (random: Random, user: User | undefined) =>
  `/users/${user && !random.chance(0.05) ? String(user.json['id']) : NO_ID}`

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  const body = changesOf(exam, random)
  if (random.chance(0.1)) body['custom_fields'] = { nobody_defined_this: 1 }
  const other = random.chance(0.25) ? pickUser(exam, random) : undefined
  if (other) body['email'] = random.chance(0.5) ? other.json['email'] : swapCase(String(user?.json['email']))
  else if (random.chance(0.4)) body['email'] = newPerson(exam, random)['email']
  return { path: pathOf(random, user), headers: pickIfMatch(random, user?.etag), body }
}

function prepareErase(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  if (exam.model.users.size < 4) return { path: `/users/${NO_ID}` }
  return { path: pathOf(random, user), headers: pickIfMatch(random, user?.etag) }
}

function prepareVerify(exam: Examiner, random: Random): Prepared {
  const user = random.chance(0.9) ? pickUser(exam, random) : undefined
  const email = user ? swapCase(String(user.json['email'])) : 'nobody@example.com'
  const password = random.chance(0.6) && user?.password ? user.password : contract.passwordOf(random.below(3))
  return { path: '/users/verify_password', body: { email, password } }
}

export const USER_TASKS: Task[] = [
  ...ofStore('POST /users', prepareCreate(false)),
  taskOf('POST /v3/public/users', prepareCreate(true)),
  ...ofStore('PATCH /users/{id}', prepareUpdate),
  ...ofStore('DELETE /users/{id}', prepareErase),
  ...ofStore('POST /users/verify_password', prepareVerify),
]
