/** The tasks about access tokens. Each secret that a token ever had is tried again later. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { callerOf, type Caller, type Examiner, type Expected, type Made, type Prepared } from './examiner.ts'
import { iso, type TokenModel } from './model.ts'
import { updated } from './stores.ts'
import { NO_ID, notFound, ofOperators, type Task } from './task.ts'

const DEFAULT_SCOPES = ['users:write', 'product_accesses:write']
/** How many replaced secrets may be valid at once. */
export const MAX_OLDER = 3

export function newToken({ id, json, at }: Made, body: Row): TokenModel {
  const scopes = Array.isArray(body['scopes']) ? body['scopes'].map(String) : DEFAULT_SCOPES
  const shown = {
    id,
    name: body['name'],
    scopes,
    created_at: iso(at),
    expires_at: body['expires_at'] ?? null,
    revoked_at: null,
  }
  return { id, json: shown, secret: typeof json['token'] === 'string' ? json['token'] : undefined, scopes, older: [] }
}

export function createToken(exam: Examiner, body: Row): Prepared {
  const events = ({ id }: Made) => [{ type: 'access_token.created', data: { access_token_id: id } }]
  const expected: Expected = { status: 201, json: (made) => newToken(made, body).json, events }
  return { path: '/tokens', body, expected, apply: (made) => void exam.model.tokens.set(made.id, newToken(made, body)) }
}

function prepareCreate(exam: Examiner, random: Random): Prepared {
  const body = { name: exam.name('token'), scopes: [random.pick(contract.SCOPES)] }
  const expires_at = iso(exam.now + random.pick([1000, 60_000, contract.DAY_MS]))
  const kind = random.weighted({ scope: 3, expiry: 2, scopes: 1, past: 0.5 })
  if (kind === 'past') {
    const wrong = { ...body, scopes: [], expires_at: iso(exam.now) }
    return {
      path: '/tokens',
      body: wrong,
      expected: { status: 422, code: 'invalid_parameter', fields: ['scopes', 'expires_at'] },
    }
  }
  if (kind === 'scopes') return createToken(exam, { name: body.name })
  return createToken(exam, kind === 'scope' ? body : { ...body, scopes: contract.SCOPES, expires_at })
}

/** A token that the examiner does not need. */
function pickSpare(exam: Examiner, random: Random): TokenModel | undefined {
  const spare = [...exam.model.tokens.values()].filter(({ json }) => String(json['name']).startsWith('exam'))
  return spare.length === 0 ? undefined : random.pick(spare.slice(-4))
}

const isRevoked = ({ json }: TokenModel) => json['revoked_at'] !== null

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const token = pickSpare(exam, random)
  const scopes = [random.pick(contract.SCOPES), 'users:write'].filter((scope, i, all) => all.indexOf(scope) === i)
  const { name, ...other }: Row = random.pick([
    {},
    { scopes },
    { expires_at: null },
    { expires_at: iso(exam.now + 90_000) },
    { name: exam.name('renamed'), scopes },
  ])
  const body: Row = name !== undefined && !exam.actors.has(token?.id) ? { name, ...other } : other
  if (!token || isRevoked(token)) return { path: `/tokens/${token?.id ?? NO_ID}`, body, expected: notFound }
  const event = (changes: Row) => ({ type: 'access_token.updated', data: { access_token_id: token.id, ...changes } })
  const apply = () => {
    const json = { ...token.json, ...body }
    exam.model.tokens.set(token.id, { ...token, json, scopes: 'scopes' in body ? scopes : token.scopes })
  }
  return { path: `/tokens/${token.id}`, body, expected: updated(token.json, body, event), apply }
}

export function stillValid({ older }: TokenModel, now: number) {
  return older.filter(({ until }) => until > now)
}

export function rotateToken(exam: Examiner, token: TokenModel, overlap_hours: number): Prepared {
  const path = `/tokens/${token.id}/rotate`
  const body = { overlap_hours }
  if (isRevoked(token)) return { path, body, expected: notFound }
  if (overlap_hours > 0 && stillValid(token, exam.now).length >= MAX_OLDER)
    return { path, body, expected: { status: 422, code: 'invalid_parameter', fields: ['overlap_hours'] } }
  const events = () => [{ type: 'access_token.rotated', data: { access_token_id: token.id } }]
  const apply = ({ json, at }: Made) => {
    const end = at + overlap_hours * contract.HOUR_MS
    // With an overlap of 0, every older secret ends at once; the examiner tries them later.
    const older = token.older.map((each) => ({
      ...each,
      until: overlap_hours === 0 ? Math.min(each.until, at) : each.until,
    }))
    if (token.secret !== undefined) older.push({ secret: token.secret, until: end })
    exam.model.tokens.set(token.id, {
      ...token,
      secret: typeof json['token'] === 'string' ? json['token'] : undefined,
      older,
    })
  }
  return { path, body, expected: { status: 200, json: () => token.json, events }, apply }
}

function prepareRotate(exam: Examiner, random: Random): Prepared {
  const token = pickSpare(exam, random)
  if (!token) return { path: `/tokens/${NO_ID}/rotate`, body: {}, expected: notFound }
  return rotateToken(exam, token, random.pick([0, 1, 1, 24]))
}

function revoke(exam: Examiner, token: TokenModel, at: number): void {
  exam.model.tokens.set(token.id, { ...token, json: { ...token.json, revoked_at: iso(at) } })
}

const revokedEvent = ({ id }: TokenModel) => ({ type: 'access_token.revoked', data: { access_token_id: id } })

function prepareRevoke(exam: Examiner, random: Random): Prepared {
  const token = pickSpare(exam, random)
  if (!token || isRevoked(token)) return { path: `/tokens/${token?.id ?? NO_ID}`, expected: notFound }
  const expected = { status: 204, text: '', events: () => [revokedEvent(token)] }
  return { path: `/tokens/${token.id}`, expected, apply: ({ at }) => revoke(exam, token, at) }
}

function prepareRevokeAll(exam: Examiner): Prepared {
  const valid = [...exam.model.tokens.values()].filter((token) => !isRevoked(token))
  const expected: Expected = {
    status: 200,
    json: () => ({ revoked: valid.length }),
    events: () => valid.map(revokedEvent),
  }
  const apply = ({ at }: Made) => {
    for (const token of valid) revoke(exam, token, at)
  }
  return { path: '/tokens/revoke_all', body: {}, expected, apply }
}

/** The token that sends the request. Any secret is tried that any token ever had. */
function prepareOwn(exam: Examiner, _: Random, { token }: Caller): Prepared {
  return { path: '/v1/token', expected: { status: 200, json: () => ownToken(exam, token) } }
}

function ownToken(exam: Examiner, token: TokenModel | undefined): Row {
  const { id, name, scopes, created_at, expires_at } = token?.json ?? {}
  return { id, store_id: exam.model.slug, name, scopes, created_at, expires_at }
}

/** A token gives itself a new secret, unless it is used with an older one. */
function prepareRotateOwn(exam: Examiner, random: Random, { token, secret }: Caller): Prepared {
  const path = '/v1/token/rotate'
  const body = { overlap_hours: random.pick([1, 24]) }
  if (!token) throw new Error('a token is rotated by somebody else')
  if (secret !== token.secret) return { path, body, expected: { status: 401, code: 'invalid_token' } }
  const rotation = rotateToken(exam, token, body.overlap_hours)
  const isDone = rotation.expected.status === 200
  return { ...rotation, path, expected: { ...rotation.expected, ...(isDone && { json: () => ownToken(exam, token) }) } }
}

/** Every secret that must be rejected now, with the reason. */
export function deadSecrets(exam: Examiner): { secret: string; why: string }[] {
  const { now } = exam
  return [...exam.model.tokens.values()].flatMap((token) => {
    const { secret, older, json } = token
    const all = [...(secret === undefined ? [] : [secret]), ...older.map((each) => each.secret)]
    if (isRevoked(token)) return all.map((each) => ({ secret: each, why: 'revoked' }))
    if (typeof json['expires_at'] === 'string' && Date.parse(json['expires_at']) <= now)
      return all.map((each) => ({ secret: each, why: 'expired' }))
    return older.filter(({ until }) => until <= now).map((each) => ({ secret: each.secret, why: 'replaced' }))
  })
}

/** Every caller whose token is valid now, with each of its valid secrets. */
export function liveCallers(exam: Examiner): Caller[] {
  const dead = new Set(deadSecrets(exam).map(({ secret }) => secret))
  return [...exam.model.tokens.values()].flatMap((token) =>
    [token.secret, ...token.older.map(({ secret }) => secret)]
      .filter((secret) => secret !== undefined && !dead.has(secret))
      .map((secret) => callerOf(token, secret)),
  )
}

export const TOKEN_TASKS: Task[] = [
  ofOperators('POST /tokens', prepareCreate),
  ofOperators('PATCH /tokens/{id}', prepareUpdate),
  ofOperators('DELETE /tokens/{id}', prepareRevoke),
  ofOperators('POST /tokens/{id}/rotate', prepareRotate),
  ofOperators('POST /tokens/revoke_all', prepareRevokeAll),
  { operation: 'GET /v1/token', mount: 'v1', prepare: prepareOwn },
  { operation: 'POST /v1/token/rotate', mount: 'v1', prepare: prepareRotateOwn },
]
