/** Bulk changes, their dry runs and reverts. The reference says what they do to accesses. */
import type { Random } from '../world/random.ts'
import { type Examiner, type Prepared, requestOf } from './examiner.ts'
import { NO_ID, ofStore, type Task } from './task.ts'
import { DAY_MS, isOpen, STATUSES } from '../contract.ts'
import type { Caller } from '../reference/operation.ts'
import { iso } from '../reference/state.ts'
import type { Row } from '../rows.ts'
import { fieldOfSomeone } from './lists.ts'
import { pickDue } from './accesses.ts'
import { grantAccesses } from './announcements.ts'
import { readEtags, perform, endSuspension } from './perform.ts'
import { ensureTokens, keepersOf } from './keepers.ts'

/** After this time, a bulk change of a few accesses has ended. */
const ENDED_MS = 30_000

function prepareCreate(_: Examiner, random: Random): Prepared {
  const filter = random.chance(0.2) ? random.pick(FILTERS) : { status: 'with_access' }
  const change = random.chance(0.4) ? random.pick(CHANGES) : { extend_days: 30 }
  return { path: '/bulk_changes', body: { filter, change, dry_run: true } }
}

/** Most of them are invalid. */
const FILTERS = [
  { user_ids: [] },
  { user_ids: [NO_ID] },
  { user_ids: [NO_ID], product_id: NO_ID, custom_field: { key: 'none', value: '' } },
  { user_ids: 'x' },
  { custom_field: { key: 'nobody_defined_this', value: '1' } },
  { custom_field: { key: '#', value: 7 } },
  { custom_field: { key: 'a', value: 'x'.repeat(1001) } },
  { custom_field: null },
]
const SOON = '2027-01-01T00:00:00.000Z'
const CHANGES = [
  {},
  { extend_days: 0 },
  { extend_months: 0 },
  { extend_months: 121 },
  { extend_months: 120 },
  { extend_months: 1.5 },
  { extend_days: 1, extend_months: 1 },
  { access_due_date: SOON, extend_months: 1 },
  { access_due_date: SOON, extend_days: 1, extend_months: 1 },
  { never_shorten: true },
  { never_shorten: false },
  { never_shorten: null },
  { never_shorten: true, extend_months: 1 },
  { never_shorten: false, status: 'with_access' },
  { never_shorten: true, access_due_date: SOON },
  { never_shorten: true, access_due_date: null },
  { never_shorten: false, access_due_date: SOON },
]

export const ended = ({ model, now }: Examiner) =>
  [...model.bulkChanges.values()].filter(({ at }) => at + ENDED_MS < now)

const prepareCancel = (exam: Examiner): Prepared => ({ path: `/bulk_changes/${ended(exam)[0]?.id ?? NO_ID}/cancel` })

/** The revert of a dry run has nothing to do. A bulk change is reverted once. */
function prepareRevert(exam: Examiner, random: Random): Prepared {
  const all = ended(exam)
  const wanted = random.chance(0.3)
  const { id } = all.find(({ revertedBy }) => (revertedBy !== null) === wanted) ?? all[0] ?? { id: NO_ID }
  return { path: `/bulk_changes/${id}/revert` }
}

export const BULK_TASKS: Task[] = [
  ...ofStore('POST /bulk_changes', prepareCreate),
  ...ofStore('GET /bulk_changes', () => ({ path: '/bulk_changes?limit=100' })),
  ...ofStore('GET /bulk_changes/{id}', ({ model }) => ({
    path: `/bulk_changes/${[...model.bulkChanges.keys()].at(-1) ?? NO_ID}`,
  })),
  ...ofStore('POST /bulk_changes/{id}/cancel', prepareCancel),
  ...ofStore('POST /bulk_changes/{id}/revert', prepareRevert),
]

const DRY_RUNS = 3
/** The pauses take some seconds. After a minute, the crons would resume what has stopped. */
const PATIENCE_MS = 45_000
/** Whether an access is in force counts at the time of the request. These end before the bulk change reaches them. */
const ENDS_AFTER_MS = [20, 60, 150, 400, 1000]

export async function changeInBulk(exam: Examiner, random: Random): Promise<void> {
  await endSuspension(exam)
  await ensureTokens(exam)
  const caller = random.pick(keepersOf(exam))
  if (random.chance(0.5)) {
    const { now } = exam
    await grantAccesses(
      exam,
      ENDS_AFTER_MS.map((ms) => now + ms),
    )
  }
  await exam.pass(1)
  const newBody = (dry_run: boolean) => ({
    filter: pickFilter(exam, random),
    change: pickChange(exam, random),
    dry_run,
  })
  const dryRuns: string[] = []
  for (let i = 0; i < DRY_RUNS; i++) dryRuns.push(await post(exam, caller, '', newBody(true)))
  await expectDone(exam, caller, dryRuns)
  await revertWithKey(exam, caller, dryRuns)
  const id = await post(exam, caller, '', newBody(false))
  await expectDone(exam, caller, [id])
  if (random.chance(0.3)) return
  await changeOne(exam, random, id)
  await expectDone(exam, caller, [await post(exam, caller, `/${id}/revert`)])
  await exam.send('reverted bulk change', requestOf(caller, 'GET', exam.model.slug, `/bulk_changes/${id}`))
  await post(exam, caller, `/${id}/revert`)
  await cancelOne(exam, caller)
}

export async function post(
  exam: Examiner,
  caller: Caller,
  path: string,
  body?: Row,
  headers?: Record<string, string>,
): Promise<string> {
  const request = requestOf(caller, 'POST', exam.model.slug, `/bulk_changes${path}`)
  const { json } = await exam.send('bulk change', { ...request, ...(body && { body }), ...(headers && { headers }) })
  return String(json['id'])
}

/** Waits until they have ended. Their counts and events are compared with the accesses. */
export async function expectDone(exam: Examiner, caller: Caller, ids: string[]): Promise<void> {
  await exam.pass(PATIENCE_MS)
  for (const id of ids) await readBulkChange(exam, caller, id, { state: 'done', progress: 100 })
  await readEtags(exam)
}

export async function readBulkChange(exam: Examiner, caller: Caller, id: string, body: Row): Promise<void> {
  const read = requestOf(caller, 'GET', exam.model.slug, `/bulk_changes/${id}`)
  await exam.send('bulk change at its end', read, { status: 200, body })
}

/** The second of two bulk changes waits for the first, and is canceled before it begins. Neither reaches an access. */
async function cancelOne(exam: Examiner, caller: Caller): Promise<void> {
  const body = { filter: { due_before: iso(0) }, change: { extend_days: 1 } }
  await post(exam, caller, '', body)
  const id = await post(exam, caller, '', body)
  const cancel = requestOf(caller, 'POST', exam.model.slug, `/bulk_changes/${id}/cancel`)
  await exam.send('cancel', cancel, { status: 200, body: { state: 'canceled', matched: 0 } })
  await exam.pass(PATIENCE_MS)
  const isEnd = ({ type, data }: Row) => type === 'bulk_change.finished' && Object(data).bulk_change_id === id
  if ((await exam.readFeed()).some(isEnd)) exam.violate(`bulk change ${id} was canceled, and has finished`)
}

/** A key belongs to the revert of one bulk change. The revert of a dry run has nothing to do. */
async function revertWithKey(exam: Examiner, caller: Caller, [first = '', second = '']: string[]): Promise<void> {
  const headers = { 'X-Idempotency-Key': exam.slug('revert') }
  for (const id of [first, second, first]) {
    await post(exam, caller, `/${id}/revert`, undefined, headers)
    await exam.pass(1)
  }
}

function pickFilter(exam: Examiner, random: Random): Row {
  const accesses = [...exam.model.accesses.values()]
  const { user = '', product: product_id = '' } = accesses.length > 0 ? random.pick(accesses) : {}
  const [other = ''] = exam.model.users.keys()
  // A user who is named twice is found once.
  const user_ids = [user, other, user]
  const dates = accesses.flatMap(({ json }) =>
    typeof json['access_due_date'] === 'string' ? [json['access_due_date']] : [],
  )
  const date = dates.length > 0 ? random.pick(dates) : iso(exam.now)
  const field = fieldOfSomeone(exam, random)
  const all: Row = {
    product_id,
    user_ids,
    ...(field && { custom_field: { key: field.key, value: field.text } }),
    status: random.pick(STATUSES),
    in_force: random.chance(0.5),
    due_after: date,
    due_before: date,
  }
  const names = random.pick([
    [],
    ['product_id'],
    ['user_ids'],
    ['user_ids', 'product_id'],
    ['status'],
    ['in_force'],
    ['in_force'],
    ...(field ? [['custom_field'], ['custom_field', 'status']] : []),
    ['due_after'],
    ['due_before'],
    ['due_after', 'status'],
  ])
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

/** A date that is soon passes a little later, and must be announced, even if the end of the access was announced before. */
function pickChange(exam: Examiner, random: Random): Row {
  const status = random.pick(STATUSES)
  const soon = iso(exam.now + 100_000)
  return random.pick([
    { status },
    { extend_days: random.pick([1, 30]) },
    { extend_days: 7 },
    { extend_months: random.pick([1, 13]) },
    { status, extend_months: 120 },
    { status, access_due_date: iso(exam.now + 20 * DAY_MS), never_shorten: true },
    { status, extend_days: 2 },
    { access_due_date: null },
    { access_due_date: soon },
    { status: 'with_access', access_due_date: soon },
  ])
}

/** Changes one of the accesses as if by hand, so that a revert leaves it alone. */
async function changeOne(exam: Examiner, random: Random, bulkChange: string): Promise<void> {
  const [id = ''] = exam.model.bulkChanges.get(bulkChange)?.changed.keys() ?? []
  const access = exam.model.accesses.get(id)
  if (!access) return
  const status = isOpen(access.json['status']) ? 'without_access' : 'with_access'
  const body = random.pick([{ status }, { access_due_date: pickDue(exam, random) }])
  await perform(exam, 'access by hand', 'PUT', { path: `/product_accesses/${id}`, body })
}
