/** Tries what ends, a millisecond before its end and at its end: keys, tokens, replaced secrets, and cursors. */
import * as contract from '../contract.ts'
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import { withoutOperatorName } from '../checks/evidence.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRows } from '../rows.ts'
import { type Examiner, type Expected, type Made, type Prepared, requestOf, ROOT } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { iso, type TokenModel } from './model.ts'
import { createdUser, newPerson } from './people.ts'
import { expectCreate } from './users.ts'
import { createToken, rotateToken } from './tokens.ts'
import { jumpTo, land, perform } from './perform.ts'
import { readFeed } from './reload.ts'

/** The setting of the simulated service (instances.ts). */
const RETENTION_MS = 7 * contract.DAY_MS
/** Jobs run every three hours here, and a run deletes a limited number of events: after so many, all must be deleted. */
const PURGE_MS = 5 * HOLIDAY_STEP_MS

async function useToken(exam: Examiner, secret: string | undefined, label: string, isValid: boolean): Promise<void> {
  const request = contract.readToken(secret ?? '')
  await exam.send(label, request, isValid ? { status: 200 } : { status: 401, code: 'invalid_token' })
}

export async function tryTimes(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1)
  await ensureTokens(exam)
  const ends = [await expiringToken(exam), await rotatedToken(exam)].toSorted((a, b) => a.end - b.end)
  const claims = [await claimOf(exam, random, true), await claimOf(exam, random, false)]
  for (const { end, before, after } of [...ends, ...claims]) {
    await jumpTo(exam, end - 1)
    await before()
    await exam.world.sleepUntil(end)
    await after()
  }
  await purge(exam)
}

/** Something that ends at a time, with what is true a millisecond before it and what is true at it. */
interface End {
  end: number
  before: () => Promise<unknown>
  after: () => Promise<unknown>
}

function tokenWithId(exam: Examiner, json: Row): TokenModel {
  const token = exam.model.tokens.get(String(json['id']))
  if (!token) throw new Error('the token was not created')
  return token
}

async function expiringToken(exam: Examiner): Promise<End> {
  const end = exam.now + contract.HOUR_MS
  const body = { name: 'exam expiring', scopes: contract.SCOPES, expires_at: iso(end) }
  const { secret } = tokenWithId(exam, await perform(exam, 'expiring token', 'POST', createToken(exam, body)))
  return {
    end,
    before: () => useToken(exam, secret, 'token before its end', true),
    after: () => useToken(exam, secret, 'token at its end', false),
  }
}

/** Each replaced secret has an end of its own: the overlap of the rotation that replaced it. */
async function rotatedToken(exam: Examiner): Promise<End> {
  const body = { name: 'exam rotated', scopes: contract.SCOPES }
  const created = await perform(exam, 'token to rotate', 'POST', createToken(exam, body))
  const { secret: first } = tokenWithId(exam, created)
  const end = exam.now + 2 * contract.HOUR_MS
  await perform(exam, 'rotation', 'POST', rotateToken(exam, tokenWithId(exam, created), 2))
  const { secret: second } = tokenWithId(exam, created)
  await perform(exam, 'longer rotation', 'POST', rotateToken(exam, tokenWithId(exam, created), 5))
  return {
    end,
    before: () => useToken(exam, first, 'replaced secret before its end', true),
    after: async () => {
      await useToken(exam, first, 'replaced secret at its end', false)
      await useToken(exam, second, 'the other replaced secret', true)
      await perform(exam, 'rotation without overlap', 'POST', rotateToken(exam, tokenWithId(exam, created), 0))
      await useToken(exam, second, 'secret after a rotation without overlap', false)
      await useToken(exam, tokenWithId(exam, created).secret, 'newest secret', true)
    },
  }
}

/** A key is kept for 24 hours, even if the user was erased. */
async function claimOf(exam: Examiner, random: Random, isErased: boolean): Promise<End> {
  const body = newPerson(exam, random)
  const key = exam.slug('key')
  const at = exam.now
  const create = (expected: Expected, apply?: (made: Made) => void): Prepared => {
    return { path: '/users', body, headers: { 'X-Idempotency-Key': key }, expected, ...(apply && { apply }) }
  }
  const save = (made: Made) => void exam.model.users.set(made.id, createdUser(exam, body, made))
  const { id } = await perform(exam, 'first with a key', 'POST', create(expectCreate(exam, body, false), save))
  await exam.pass(1)
  if (isErased) {
    const events = () => [{ type: 'user.erased', data: { user_id: String(id) } }]
    await perform(exam, 'erasure', 'DELETE', {
      path: `/users/${String(id)}`,
      expected: { status: 204, events },
      apply: () => exam.model.eraseUser(String(id)),
    })
  }
  const again: Expected = isErased
    ? { status: 404, code: 'not_found' }
    : { status: 201, json: () => ({ id }), headers: { 'Idempotent-Replayed': 'true' } }
  return {
    end: at + contract.CLAIM_MS,
    before: () => perform(exam, 'key before its end', 'POST', create(again)),
    after: async () => {
      const { id: next } = await perform(exam, 'key at its end', 'POST', create(expectCreate(exam, body, false), save))
      if (!isErased) return
      // From then on it is kept for another 24 hours.
      const replayed = { status: 201, json: () => ({ id: next }), headers: { 'Idempotent-Replayed': 'true' } }
      await perform(exam, 'key of the new user', 'POST', create(replayed))
      exam.world.count('replay after 24 hours creates anew')
    },
  }
}

/** A replay is the first response with the ETag of the state that it shows, although the user has changed since. */
export async function replayAfterChange(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1)
  const { external_id: _, ...body } = newPerson(exam, random)
  const headers = { 'X-Idempotency-Key': exam.slug('key') }
  const request = { ...requestOf(ROOT, 'POST', exam.model.slug, '/users'), body, headers }
  const expected = expectCreate(exam, body, false)
  const first = await exam.send('first with a key', request, expected)
  if (first.status !== 201) return
  exam.noteEvents(first, ROOT, expected)
  const id = String(first.json['id'])
  const etag = first.headers.get('ETag')
  const created = createdUser(exam, body, { id, etag: etag ?? '', json: first.json, at: Math.floor(first.start) })
  await exam.pass(1)
  const set = { external_id: 'changed' }
  const events = () => [{ type: 'user.updated', data: { user_id: id, fields: ['external_id'] } }]
  await perform(exam, 'change of the user', 'PATCH', {
    path: `/users/${id}`,
    body: set,
    expected: { status: 200, events },
    apply: ({ etag, at }) =>
      void exam.model.users.set(id, { ...created, etag, json: { ...created.json, ...set, updated_at: iso(at) } }),
  })
  const isRebuilt = exam.store.place.jurisdiction === 'eu'
  const etagOf = isRebuilt ? exam.model.users.get(id)?.etag : etag
  await exam.send('replay after a change', request, {
    status: 201,
    headers: { 'Idempotent-Replayed': 'true', ETag: etagOf ?? null },
    ...(!isRebuilt && { text: first.text }),
  })
}

/** Events are deleted when they are too old, and not earlier; a cursor before them has ended. */
async function purge(exam: Examiner): Promise<void> {
  const begin = exam.now
  await jumpTo(exam, begin + contract.DAY_MS)
  await perform(exam, 'a late event', 'PUT', {
    path: `/custom_fields/late`,
    body: {},
    expected: { status: 201, events: () => [{ type: 'custom_field.created', data: { custom_field_key: 'late' } }] },
    apply: () => void exam.model.fields.set('late', { key: 'late', label: null, created_at: iso(exam.now) }),
  })
  const all = await readFeed(exam)
  const newest = all.at(-1)
  exam.read = all.map(withoutOperatorName)
  // The events until `begin` must be deleted, and the late one must not.
  await jumpTo(exam, begin + RETENTION_MS + PURGE_MS)
  await land(exam)
  const cutoff = exam.now - RETENTION_MS
  await ensureTokens(exam)
  const [token = ROOT] = keepersOf(exam)
  const kept = await exam.send(
    'feed after the purge',
    requestOf(token, 'GET', exam.model.slug, '/events?limit=100&after=1'),
    { status: 410, code: 'cursor_expired', fields: ['after'] },
  )
  const oldest = Number(/\d+$/.exec(String(kept.json['message']).replace(/\.$/, ''))?.[0])
  const rest = await exam.send(
    'the oldest event',
    requestOf(token, 'GET', exam.model.slug, `/events?limit=100&after=${oldest - 1}`),
    { status: 200 },
  )
  const [first] = toRows(rest.json['data'])
  const time = Date.parse(String(first?.['timestamp']))
  if (Number(first?.['id']) !== oldest) exam.violate(`the oldest event is ${String(first?.['id'])}, not ${oldest}`)
  if (time < cutoff - PURGE_MS && first?.['id'] !== newest?.['id'])
    exam.violate(`event ${oldest} of ${iso(time)} should be deleted`)
  const lost = all.find(
    (event) => Date.parse(String(event['timestamp'])) >= cutoff + 60_000 && Number(event['id']) < oldest,
  )
  if (lost) exam.violate(`event ${String(lost['id'])} was deleted too early`)
  exam.world.count('events are purged')
  const requests = new Set(toRows(rest.json['data']).map(({ request_id }) => request_id))
  exam.model.events = exam.model.events.filter(({ requestId }) => requests.has(requestId))
  exam.oldest = oldest
}
