/** What a bulk change does to each access, by its filter and its change; and what a revert gives back. */
import { isOpen, STATUSES } from '../contract.ts'
import { eventOf } from '../reference/accesses.ts'
import { reach, reachAgain, type Reached } from '../reference/bulk-changes.ts'
import type { Caller } from '../reference/operation.ts'
import { changesOf, iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { dataOf, type Row, toRow } from '../rows.ts'
import { findDifference } from './compare-json.ts'
import { pickDue } from './accesses.ts'
import { grantAccesses } from './announcements.ts'
import { readEtags } from './etags.ts'
import { endSuspension } from './suspension.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { readFeed } from './decide.ts'
import { perform } from './perform.ts'

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
  const before = new Map(exam.model.accesses)
  await exam.pass(1)
  const checkDryRuns: (() => Promise<unknown>)[] = []
  const dryRuns: string[] = []
  for (let i = 0; i < DRY_RUNS; i++) {
    const { request, outcomes } = prepare(exam, random, caller, true)
    const { json } = await exam.send('dry run', request)
    dryRuns.push(String(json['id']))
    checkDryRuns.push(() => checkCounts(exam, caller, String(json['id']), outcomes))
  }
  await exam.pass(PATIENCE_MS)
  for (const check of checkDryRuns) await check()
  await revertWithKey(exam, caller, dryRuns)
  const { request, outcomes } = prepare(exam, random, caller, false)
  const id = await carryOut(exam, caller, request, outcomes)
  if (random.chance(0.3)) return
  await changeOne(exam, random, outcomes)
  const restored = reachAgain(exam.model, before, outcomes)
  const revert = requestOf(caller, 'POST', exam.model.slug, `/bulk_changes/${id}/revert`)
  const reverted_by = await carryOut(exam, caller, revert, restored)
  const read = requestOf(caller, 'GET', exam.model.slug, `/bulk_changes/${id}`)
  await exam.send('reverted bulk change', read, { status: 200, json: () => ({ id, reverted_by }) })
  await exam.send('second revert', revert)
  await cancelOne(exam, caller)
}

/** The second of two bulk changes waits for the first, and is canceled before it begins. Neither reaches an access. */
async function cancelOne(exam: Examiner, caller: Caller): Promise<void> {
  const { slug } = exam.model
  const create = {
    ...requestOf(caller, 'POST', slug, '/bulk_changes'),
    body: { filter: { due_before: iso(0) }, change: { extend_days: 1 } },
  }
  await exam.send('bulk change', create)
  const second = await exam.send('bulk change to cancel', create)
  const id = String(second.json['id'])
  const canceled = await exam.send('cancel', requestOf(caller, 'POST', slug, `/bulk_changes/${id}/cancel`), {
    status: 200,
    json: () => ({ id, state: 'canceled', matched: 0 }),
  })
  await exam.pass(PATIENCE_MS)
  const events = (await readFeed(exam)).filter(({ data }) => toRow(data)['bulk_change_id'] === id)
  const expected = [second, canceled].map(({ headers }, i) => ({
    type: ['bulk_change.created', 'bulk_change.canceled'][i],
    request_id: headers.get('X-Request-Id'),
    actor: caller.actor,
  }))
  const difference = findDifference(events, expected)
  if (difference !== undefined) exam.violate(`of the events of a canceled bulk change ${difference}`)
}

/** A key belongs to the revert of one bulk change. The revert of a dry run has nothing to do. */
async function revertWithKey(exam: Examiner, caller: Caller, [first = '', second = '']: string[]): Promise<void> {
  const headers = { 'X-Idempotency-Key': exam.slug('revert') }
  const revert = (id: string) => ({
    ...requestOf(caller, 'POST', exam.model.slug, `/bulk_changes/${id}/revert`),
    headers,
  })
  await exam.send('revert', revert(first))
  await exam.pass(1)
  await exam.send('revert of another', revert(second))
  await exam.send('revert again', revert(first))
}

function prepare(exam: Examiner, random: Random, caller: Caller, dry_run: boolean) {
  const filter = pickFilter(exam, random)
  const change = pickChange(exam, random)
  const request = { ...requestOf(caller, 'POST', exam.model.slug, '/bulk_changes'), body: { filter, change, dry_run } }
  return { request, outcomes: reach(exam.model, filter, change, exam.now) }
}

/** Sends the request, waits until the bulk change has ended, and compares its counts and times, its events and the accesses. */
async function carryOut(
  exam: Examiner,
  caller: Caller,
  request: ReturnType<typeof requestOf>,
  outcomes: Reached[],
): Promise<string> {
  const created = await exam.send('bulk change', request)
  const id = String(created.json['id'])
  await exam.pass(PATIENCE_MS)
  const ended = await checkCounts(exam, caller, id, outcomes)
  const changed = outcomes.filter(isChanged)
  const requestId = created.headers.get('X-Request-Id')
  const all = (await readFeed(exam)).filter((event) => dataOf(event)['bulk_change_id'] === id)
  checkTimes(exam, ended, all)
  const events = all.filter(({ type }) => type === 'product_access.updated')
  const expected = changed.map(({ access, next }) => {
    const changes = changesOf(access.json, next)
    const { type, data } = eventOf('product_access.updated', access, { changes })
    return { type, data, request_id: requestId, actor: caller.actor }
  })
  const difference = findDifference(events, expected)
  if (difference !== undefined)
    exam.violate(`of the events of ${JSON.stringify(request.body ?? request.path)} ${difference}`)
  for (const { access, next } of changed)
    exam.model.accesses.set(String(access.json['id']), { ...access, json: { ...access.json, ...next }, etag: '' })
  await readEtags(exam)
  return id
}

const isChanged = ({ access, next }: Reached) => Object.keys(changesOf(access.json, next)).length > 0

async function checkCounts(exam: Examiner, caller: Caller, id: string, outcomes: Reached[]): Promise<Row> {
  const changed = outcomes.filter(isChanged).length
  const counts = { matched: outcomes.length, changed, unchanged: outcomes.length - changed }
  const read = requestOf(caller, 'GET', exam.model.slug, `/bulk_changes/${id}`)
  const json = () => ({ id, state: 'done', progress: 100, ...counts })
  return (await exam.send('bulk change at its end', read, { status: 200, json })).json
}

/** It is created with its first event, starts before or with the first access, and ends with its last event. */
function checkTimes(exam: Examiner, { id, created_at, started_at, finished_at }: Row, events: Row[]): void {
  const times = events.map(({ timestamp }) => String(timestamp))
  const [first = '', second = ''] = times
  const isStarted = String(started_at) >= first && String(started_at) <= second
  if (created_at !== first || !isStarted || finished_at !== times.at(-1))
    exam.violate(
      `bulk change ${String(id)}, of ${times.join()}: ${JSON.stringify({ created_at, started_at, finished_at })}`,
    )
}

function pickFilter(exam: Examiner, random: Random): Row {
  const accesses = [...exam.model.accesses.values()]
  const { user = '', product: product_id = '' } = accesses.length > 0 ? random.pick(accesses) : {}
  const [other = ''] = exam.model.users.keys()
  const user_ids = user === other ? [user] : [user, other]
  const dates = accesses.flatMap(({ json }) =>
    typeof json['access_due_date'] === 'string' ? [json['access_due_date']] : [],
  )
  const date = dates.length > 0 ? random.pick(dates) : iso(exam.now)
  const all: Row = {
    product_id,
    user_ids,
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
    { status, extend_days: 2 },
    { access_due_date: null },
    { access_due_date: soon },
    { status: 'with_access', access_due_date: soon },
  ])
}

/** Changes one of the accesses as if by hand, so that a revert leaves it alone. */
async function changeOne(exam: Examiner, random: Random, outcomes: Reached[]): Promise<void> {
  const [first] = outcomes
  const id = String(first?.access.json['id'])
  const access = exam.model.accesses.get(id)
  if (!access) return
  const status = isOpen(access.json['status']) ? 'without_access' : 'with_access'
  const body = random.pick([{ status }, { access_due_date: pickDue(exam, random) }])
  await perform(exam, 'access by hand', 'PUT', { path: `/product_accesses/${id}`, body })
}
