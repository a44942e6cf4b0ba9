/** Keys, tokens, replaced secrets, accesses and cursors at their ends. */
import * as contract from '../contract.ts'
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { iso } from '../reference/state.ts'
import { grantAccesses } from './announcements.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { newPerson } from './people.ts'
import { endSuspension, jumpTo, land, perform } from './perform.ts'

/** The setting of the simulated service (instances.ts). */
const RETENTION_MS = 7 * contract.DAY_MS
/** Jobs run every three hours here, and a run deletes a limited number of events: after so many, all must be deleted. */
const PURGE_MS = 5 * HOLIDAY_STEP_MS

/** Tries what ends, a millisecond before its end and at its end: the reference knows what is true then. */
export async function tryTimes(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1)
  await ensureTokens(exam)
  const { now } = exam
  const newToken = (more: Row = {}) =>
    perform(exam, 'token', 'POST', {
      path: '/tokens',
      body: { name: 'exam of times', scopes: contract.SCOPES, ...more },
    })
  const expiring = await newToken({ expires_at: iso(now + contract.HOUR_MS) })
  // Each replaced secret has an end of its own: the overlap of the rotation that replaced it.
  const rotated = await newToken()
  const rotate = (overlap_hours: number) =>
    perform(exam, 'rotation', 'POST', { path: `/tokens/${String(rotated['id'])}/rotate`, body: { overlap_hours } })
  const tokens = [expiring, rotated, await rotate(5), await rotate(2), await rotate(3)]
  // An access is in force up to its date, so it is not from the next millisecond on.
  const due = now + 4 * contract.HOUR_MS
  await grantAccesses(exam, [due])
  const inForce = { caller: ROOT, slug: exam.model.slug, path: '/product_accesses?in_force=true' }
  const claims = [await claim(exam, random, true), await claim(exam, random, false)]
  const tryAll = async () => {
    // A secret that has ended makes room for another one.
    tokens.push(await rotate(1))
    for (const { token } of tokens) await exam.send('token', contract.readToken(String(token)))
    for (const { create } of claims) await create()
    await exam.readPages('in force', inForce)
  }
  const ends = [1, 2, 3, 5].map((hours) => now + hours * contract.HOUR_MS)
  for (const end of [...ends.slice(0, 3), due + 1, ...ends.slice(3), ...claims.map((each) => each.end)]) {
    await jumpTo(exam, end - 1)
    await tryAll()
    await exam.world.sleepUntil(end)
    await tryAll()
  }
  exam.world.count('replay after 24 hours creates anew')
  tokens.push(await rotate(0))
  await tryAll()
  await purge(exam)
}

/** A key is kept for 24 hours, even if the user was erased. */
async function claim(exam: Examiner, random: Random, isErased: boolean) {
  const prepared = { path: '/users', body: newPerson(exam, random), headers: { 'X-Idempotency-Key': exam.slug('key') } }
  const create = () => perform(exam, 'create with a key', 'POST', prepared)
  const end = exam.now + contract.CLAIM_MS
  const { id } = await create()
  await exam.pass(1)
  if (isErased) await perform(exam, 'erasure', 'DELETE', { path: `/users/${String(id)}` })
  return { create, end }
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
  // Each digit of a number counts.
  const other = { ...person, custom_fields: { [key]: JSON.rawJSON('1.0') } }
  await perform(exam, 'another number', 'POST', { ...create, body: other })
  await exam.pass(1)
  const change = { path: `/users/${String(id)}`, body: { external_id: 'changed' } }
  await perform(exam, 'change of the user', 'PATCH', change)
  await perform(exam, 'deletion of the custom field', 'DELETE', field)
  await perform(exam, 'replay after a change', 'POST', create)
}

/**
 * Two orders of the same product extend an access twice, and each key has its own response: the same body does not tell them
 * apart, nor does the access.
 */
export async function replayExtensions(exam: Examiner): Promise<void> {
  await endSuspension(exam)
  await exam.pass(1)
  const due = exam.now + 40 * contract.DAY_MS
  const [first = '', second = ''] = (await grantAccesses(exam, [due, due])).keys()
  const [key, other] = [exam.slug('order'), exam.slug('order')]
  const extend = (id: string, sent: string) =>
    perform(exam, 'extension with a key', 'POST', {
      path: `/product_accesses/${id}/extend`,
      body: { months: 1 },
      headers: { 'X-Idempotency-Key': sent },
    })
  for (const sent of [key, other, key, other]) {
    await exam.pass(1)
    await extend(first, sent)
  }
  // The key belongs to the first access.
  await extend(second, key)
}

/** Events are deleted when they are too old, and not earlier; a cursor before them has ended. */
async function purge(exam: Examiner): Promise<void> {
  const begin = exam.now
  await jumpTo(exam, begin + contract.DAY_MS)
  await perform(exam, 'a late event', 'PUT', { path: '/custom_fields/late', body: {} })
  const all = await exam.readFeed()
  const newest = all.at(-1)
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
  exam.model.oldest = oldest
  await exam.send('the oldest event', requestOf(token, 'GET', exam.model.slug, `/events?limit=100&after=${oldest - 1}`))
  const first = exam.model.feed[oldest - 1]
  const time = Date.parse(String(first?.['timestamp']))
  if (time < cutoff - PURGE_MS && first?.['id'] !== newest?.['id'])
    exam.violate(`event ${oldest} of ${iso(time)} should be deleted`)
  const lost = all.find(
    (event) => Date.parse(String(event['timestamp'])) >= cutoff + 60_000 && Number(event['id']) < oldest,
  )
  if (lost) exam.violate(`event ${String(lost['id'])} was deleted too early`)
  exam.world.count('events are purged')
}
