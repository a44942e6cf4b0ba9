/** Tries what ends, a millisecond before its end and at its end: keys, tokens, replaced secrets, and cursors. */
import * as contract from '../contract.ts'
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import { withoutOperatorName } from '../checks/evidence.ts'
import type { Random } from '../world/random.ts'
import { toRows } from '../rows.ts'
import { iso } from '../reference/state.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { newPerson } from './people.ts'
import { jumpTo, land, perform } from './perform.ts'
import { readFeed } from './decide.ts'

/** The setting of the simulated service (instances.ts). */
const RETENTION_MS = 7 * contract.DAY_MS
/** Jobs run every three hours here, and a run deletes a limited number of events: after so many, all must be deleted. */
const PURGE_MS = 5 * HOLIDAY_STEP_MS

const useToken = (exam: Examiner, secret: string | undefined, label: string) =>
  exam.send(label, contract.readToken(secret ?? ''))

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

/** Something that ends at a time: the reference knows what is true a millisecond before it and what is true at it. */
interface End {
  end: number
  before: () => Promise<unknown>
  after: () => Promise<unknown>
}

const secretOf = (exam: Examiner, id: unknown) => exam.model.tokens.get(String(id))?.secret

async function expiringToken(exam: Examiner): Promise<End> {
  const end = exam.now + contract.HOUR_MS
  const body = { name: 'exam expiring', scopes: contract.SCOPES, expires_at: iso(end) }
  const { token } = await perform(exam, 'expiring token', 'POST', { path: '/tokens', body })
  return {
    end,
    before: () => useToken(exam, String(token), 'token before its end'),
    after: () => useToken(exam, String(token), 'token at its end'),
  }
}

/** Each replaced secret has an end of its own: the overlap of the rotation that replaced it. Three are valid at once. */
async function rotatedToken(exam: Examiner): Promise<End> {
  const body = { name: 'exam rotated', scopes: contract.SCOPES }
  const { id, token: first } = await perform(exam, 'token to rotate', 'POST', { path: '/tokens', body })
  const rotate = (overlap_hours: number) =>
    perform(exam, 'rotation', 'POST', { path: `/tokens/${String(id)}/rotate`, body: { overlap_hours } })
  const end = exam.now + 2 * contract.HOUR_MS
  const secrets = [String(first)]
  for (const hours of [5, 2, 3]) {
    await rotate(hours)
    secrets.push(secretOf(exam, id) ?? '')
  }
  const useAll = async (when: string) => {
    for (const [i, secret] of secrets.entries()) await useToken(exam, secret, `secret ${i} ${when}`)
  }
  return {
    end,
    before: async () => {
      await rotate(1)
      await useAll('before the end of the second')
    },
    after: async () => {
      await useAll('at the end of the second')
      // One that has ended makes room for another one.
      await rotate(1)
      await rotate(0)
      await useAll('after a rotation without overlap')
      await useToken(exam, secretOf(exam, id), 'newest secret')
    },
  }
}

/** A key is kept for 24 hours, even if the user was erased. */
async function claimOf(exam: Examiner, random: Random, isErased: boolean): Promise<End> {
  const body = newPerson(exam, random)
  const headers = { 'X-Idempotency-Key': exam.slug('key') }
  const at = exam.now
  const create = (label: string) => perform(exam, label, 'POST', { path: '/users', body, headers })
  const { id } = await create('first with a key')
  await exam.pass(1)
  if (isErased) await perform(exam, 'erasure', 'DELETE', { path: `/users/${String(id)}` })
  return {
    end: at + contract.CLAIM_MS,
    before: () => create('key before its end'),
    after: async () => {
      await create('key at its end')
      if (!isErased) return
      // From then on it is kept for another 24 hours.
      await create('key of the new user')
      exam.world.count('replay after 24 hours creates anew')
    },
  }
}

/**
 * A replay is the first response with the ETag of the state that it shows, although the user has changed since, and although
 * a custom field of the request is no longer defined.
 */
export async function replayAfterChange(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1)
  const key = exam.slug('field')
  const field = { path: `/custom_fields/${key}` }
  await perform(exam, 'custom field', 'PUT', { ...field, body: {} })
  const { external_id: _, ...person } = newPerson(exam, random)
  const body = { ...person, custom_fields: { [key]: 1 } }
  const create = { path: '/users', body, headers: { 'X-Idempotency-Key': exam.slug('key') } }
  const { id } = await perform(exam, 'first with a key', 'POST', create)
  await exam.pass(1)
  const change = { path: `/users/${String(id)}`, body: { external_id: 'changed' } }
  await perform(exam, 'change of the user', 'PATCH', change)
  await perform(exam, 'deletion of the custom field', 'DELETE', field)
  await perform(exam, 'replay after a change', 'POST', create)
}

/** Events are deleted when they are too old, and not earlier; a cursor before them has ended. */
async function purge(exam: Examiner): Promise<void> {
  const begin = exam.now
  await jumpTo(exam, begin + contract.DAY_MS)
  await perform(exam, 'a late event', 'PUT', { path: '/custom_fields/late', body: {} })
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
