/**
 * Bulk changes that wait: how many there may be, what becomes of them when their token or their store may change nothing more,
 * and in which time zone they count. While this is tried, their object gets its responses late, or too late for any work.
 */
import { BULK } from '../../../src/modules/bulk-changes/limits.ts'
import { SCOPES, TIME_ZONES } from '../contract.ts'
import { liveCallers, ROOT } from '../reference/callers.ts'
import type { Caller, Outcome } from '../reference/operation.ts'
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { BEFORE_CHANGES_OF_CLOCKS } from './accesses.ts'
import { grantAccesses } from './announcements.ts'
import { ended, expectDone, post, readBulkChange } from './bulk-changes.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { endSuspension, perform, readEtags } from './perform.ts'

/** As an actor, the object that carries out bulk changes has such a name. */
const OBJECT = /^bulk changes \d+ alarm \d+ inside$/
/** Longer than the deadline of a batch. */
const TOO_LATE_MS = 60_000
/** More accesses than a chunk has here, so that no bulk change ends with its first chunk. */
const ACCESSES = 5
/** By then, what may change nothing more is canceled. */
const CANCELED_MS = 2 * 60_000

const NOTHING = { filter: { due_before: iso(0) }, change: { extend_days: 1 } }
const EVERYTHING = { filter: {}, change: { extend_days: 1 } }

async function begin(exam: Examiner): Promise<void> {
  await endSuspension(exam)
  await ensureTokens(exam)
  const { now } = exam
  await grantAccesses(
    exam,
    Array.from({ length: ACCESSES }, (_, i) => now + (100 + i) * 86_400_000),
  )
  await exam.pass(1)
}

/** The object gets each response so much later. */
async function slowly(exam: Examiner, ms: number, act: () => Promise<void>): Promise<void> {
  Object.assign(exam.world, { slowAnswersOf: OBJECT, slowAnswersMs: ms })
  await act()
  Object.assign(exam.world, { slowAnswersOf: undefined })
}

const limitReached = (field: string): Outcome => ({ status: 422, code: 'limit_reached', fields: [field] })

/** A store has at most 20 bulk changes that have not ended, dry runs and reverts included. A replay is none. */
export async function queueTooMany(exam: Examiner, random: Random): Promise<void> {
  await begin(exam)
  const caller = random.pick(keepersOf(exam))
  const first = ended(exam).find(({ revertedBy, isDryRun }) => revertedBy === null && !isDryRun)
  const headers = { 'X-Idempotency-Key': exam.slug('line') }
  const send = (path: string, body?: Row, expected?: Outcome, more: Row = {}) =>
    exam.send(
      'one of many',
      { ...requestOf(caller, 'POST', exam.model.slug, `/bulk_changes${path}`), ...(body && { body }), ...more },
      expected,
    )
  await slowly(exam, TOO_LATE_MS, async () => {
    const waiting: string[] = []
    for (let i = 0; i < BULK.unfinished; i++) {
      const body = { ...NOTHING, dry_run: random.chance(0.5) }
      const { json } = await send('', i === 0 ? NOTHING : body, { status: 202 }, i === 0 ? { headers } : {})
      waiting.push(String(json['id']))
    }
    for (const dry_run of [false, true]) await send('', { ...NOTHING, dry_run }, limitReached('filter'))
    if (first) await send(`/${first.id}/revert`, undefined, limitReached('id'))
    await send('', NOTHING, { status: 202, body: { id: waiting[0] } }, { headers })
    const [one = '', ...others] = waiting.toReversed()
    const cancel = (id: string) => send(`/${id}/cancel`, undefined, { status: 200, body: { state: 'canceled' } })
    await cancel(one)
    const again = await send('', NOTHING, { status: 202 })
    await send('', NOTHING, limitReached('filter'))
    for (const id of [...others, String(again.json['id'])]) await cancel(id)
  })
  await expectDone(exam, caller, [await post(exam, caller, '', { ...NOTHING, dry_run: true })])
}

/**
 * A token is revoked, its store is suspended, or it expires: only the last one changes nothing for what it has begun. What
 * runs is canceled before its next chunk, and what waits by the every-minute job, or by the alarm of its store.
 */
export async function endToken(exam: Examiner, random: Random): Promise<void> {
  await begin(exam)
  const kind = random.weighted({ revoke: 2, suspend: 2, expire: 2 })
  const expires_at = kind === 'expire' ? iso(exam.now + 1000) : null
  const [id, writer] = await newToken(exam, { expires_at })
  const isStanding = random.chance(0.5)
  let others: string[] = []
  let own: string[] = []
  await slowly(exam, isStanding ? TOO_LATE_MS : 1000, async () => {
    if (isStanding) others = [await post(exam, ROOT, '', EVERYTHING)]
    own = [await post(exam, writer, '', EVERYTHING)]
    for (const dry_run of [true, false]) own.push(await post(exam, writer, '', { ...EVERYTHING, dry_run }))
    if (!isStanding) others = [await post(exam, ROOT, '', EVERYTHING)]
    // By then, the first chunk was carried out, unless the object stands still.
    await exam.pass(1500)
    if (kind === 'revoke') await perform(exam, 'revocation', 'DELETE', { path: `/tokens/${id}` })
    if (kind === 'suspend') await perform(exam, 'suspension', 'PATCH', { path: '', body: { suspended: true } })
    if (isStanding && kind !== 'expire') await expectCanceled(exam, own)
  })
  if (kind !== 'expire') await expectCanceled(exam, own)
  exam.world.count(ENDS[kind])
  await expectDone(exam, ROOT, kind === 'expire' ? [...own, ...others] : others)
  await endSuspension(exam)
}

const ENDS = {
  revoke: 'bulk changes ended with their token',
  suspend: 'bulk changes ended with a suspension',
  expire: 'bulk changes outlived the end of their token',
}

async function newToken(exam: Examiner, more: Row): Promise<[id: string, caller: Caller]> {
  const body = { name: 'exam of bulk changes', scopes: SCOPES, ...more }
  const { id } = await perform(exam, 'token', 'POST', { path: '/tokens', body })
  const caller = liveCallers(exam.model, exam.now).find(({ token }) => token?.id === id)
  return [String(id), caller ?? ROOT]
}

async function expectCanceled(exam: Examiner, ids: string[]): Promise<void> {
  await exam.pass(CANCELED_MS)
  for (const id of ids) await readBulkChange(exam, ROOT, id, { state: 'canceled' })
  await readEtags(exam)
}

/** Days and months count in the time zone that the store had at the time of the request, and no date moves with the zone. */
export async function changeZone(exam: Examiner, random: Random): Promise<void> {
  await begin(exam)
  const zones = random.pick([
    ['America/Santiago', 'Europe/Lisbon'],
    ['Europe/Lisbon', 'America/Santiago'],
    ['Europe/Lisbon', 'UTC'],
    ['UTC', random.pick(TIME_ZONES)],
  ])
  const setZone = (time_zone: string | undefined) =>
    perform(exam, 'time zone', 'PATCH', { path: '', body: { time_zone } })
  await setZone(zones[0])
  await grantAccesses(
    exam,
    BEFORE_CHANGES_OF_CLOCKS.map((time) => Date.parse(time)),
  )
  const change = random.pick([{ extend_days: 1 }, { extend_months: 1 }])
  const ids: string[] = []
  await slowly(exam, 1000, async () => {
    ids.push(await post(exam, ROOT, '', { filter: {}, change }), await post(exam, ROOT, '', { filter: {}, change }))
    await setZone(zones[1])
    await exam.pass(20_000)
  })
  await expectDone(exam, ROOT, ids)
}
