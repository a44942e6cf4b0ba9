/**
 * Bulk changes (contract, section 13): what one may ask for, and what happens to each access that is reached. That it is
 * reached, and how soon, is checked by scenarios (exam/bulk-changes.ts).
 */
import { BULK, EXTENSION, DAY_MS, MAX_TIME } from '../../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { eventOf, productOf, status } from './accesses.ts'
import { invalidIn, isObject, missingOf, unknownIn } from './input.ts'
import { accessesWhere, matches, opaque, order, PAGE, page } from './lists.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { type Access, type BulkChange, changesOf, endOf, iso, type SentEvent, type State } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { ifSent } = values

const FILTER: Record<string, Rule> = {
  product_id: ifSent(values.recordId),
  user_ids: ifSent(
    values.rule(
      (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= BULK.users &&
        new Set(value).size === value.length &&
        value.every((id) => values.recordId(id, 0).length === 0),
    ),
  ),
  status: ifSent(status),
  in_force: ifSent(values.boolean),
  due_after: ifSent(values.dateTime),
  due_before: ifSent(values.dateTime),
}

const CHANGE: Record<string, Rule> = {
  status: ifSent(status),
  access_due_date: values.optional(values.dateTime),
  extend_days: ifSent(values.integer(1, EXTENSION.days)),
}

const objectOf =
  (fields: Record<string, Rule>, check: Rule): Rule =>
  (value, now) => {
    if (!isObject(value)) return ['']
    const row = toRow(value)
    const paths = [...invalidIn(fields, row, now), ...unknownIn(fields, row)]
    return paths.length > 0 ? paths : check(row, now)
  }

/** At least one of the three, and a date is either set or extended. */
const isChange: Rule = (value) => {
  const { access_due_date: due, extend_days, ...rest } = toRow(value)
  if (due === undefined && extend_days === undefined && rest['status'] === undefined) return ['']
  return due !== undefined && extend_days !== undefined ? ['extend_days'] : []
}

function create(state: State, call: Call): Outcome {
  const { body, drawn } = call
  const { product_id, user_ids } = toRow(body['filter'])
  const users = Array.isArray(user_ids) ? user_ids : []
  const unknown = [
    ...(product_id !== undefined && productOf(state, { product_id }) === undefined ? ['filter.product_id'] : []),
    ...(users.every((id) => state.users.has(String(id))) ? [] : ['filter.user_ids']),
  ]
  if (unknown.length > 0) return invalid(...unknown)
  const [filter, change] = [stored(toRow(body['filter'])), stored(toRow(body['change']))]
  const isDryRun = body['dry_run'] === true
  // A dry run is no record, so that its number may be that of another record.
  const id = isDryRun ? String(drawn.json['id']) : newId(state, drawn.json['id'])
  return begin(state, call, { id, filter, change, isDryRun })
}

/** Dates are shown as they are stored. */
const stored = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name.includes('due_') ? values.storedTime(value) : value]),
  )

function revert(state: State, call: Call): Outcome {
  const reverts = state.bulkChanges.get(call.id)
  if (!reverts) return notFound
  if (reverts.revertedBy !== null) return { status: 422, code: 'not_done', fields: ['id'] }
  const { json, events } = call.drawn
  const id = newId(state, json['id'] ?? toRow(events[0]?.['data'])['bulk_change_id'])
  state.bulkChanges.set(call.id, { ...reverts, revertedBy: id })
  return begin(state, call, { id, filter: null, change: null, isDryRun: false, reverts })
}

type New = Pick<BulkChange, 'id' | 'filter' | 'change' | 'isDryRun' | 'reverts'>

function begin(state: State, { caller: { actor }, drawn: { requestId }, now }: Call, given: New): Outcome {
  const { id, filter, change, isDryRun, reverts } = given
  const bulk = { ...given, at: now, requestId, actor, revertedBy: null, changed: new Map() }
  const since = state.feed.length + state.events.length
  state.bulkChanges.set(id, { ...bulk, outcomes: outcomesOf(state, bulk), since })
  const events = isDryRun ? [] : [{ type: 'bulk_change.created', data: { bulk_change_id: id } }]
  const body = { id, dry_run: isDryRun, reverts: reverts?.id ?? null, filter, change, reverted_by: null }
  return { status: 202, body, record: id, events }
}

type Plan = Pick<BulkChange, 'filter' | 'change' | 'at' | 'reverts'>

/** Whether each access that the bulk change reaches is changed, if nothing else happens meanwhile. */
function outcomesOf(state: State, bulk: Plan): boolean[] {
  const reached = bulk.reverts
    ? [...bulk.reverts.changed.keys()].flatMap((id) => state.accesses.get(id) ?? [])
    : accessesWhere(state, bulk.filter ?? {}, bulk.at)
  return reached.map((access) => Object.keys(changesOf(access.json, nextOf(bulk, access))).length > 0)
}

/** What the bulk change sets when it reaches this access. */
function nextOf({ change, at, reverts }: Plan, access: Access): Row {
  if (!reverts) return afterChange(access, change ?? {}, at)
  // Whatever is still as it was left gets back what it had.
  const { from, to = {} } = reverts.changed.get(String(access.json['id'])) ?? {}
  return Object.keys(changesOf(access.json, to)).length === 0 ? (from ?? {}) : {}
}

/** A date that has passed is extended from the time of the request. An access without one stays as it is. */
export function afterChange({ json }: Access, change: Row, now: number): Row {
  const { status = json['status'], extend_days, access_due_date = json['access_due_date'] } = change
  const extended = Math.max(endOf(json), now) + Number(extend_days) * DAY_MS
  const isExtended = extend_days !== undefined && extended <= MAX_TIME
  return { status, access_due_date: isExtended ? iso(extended) : access_due_date }
}

/**
 * The event of an access that a bulk change has reached, which is changed in the same batch. Undefined if the access must
 * have none: each is reached once, in the order of the ids, and an event shows what has changed.
 */
export function reach(state: State, { data, timestamp }: Row): SentEvent | undefined {
  const { bulk_change_id, product_access_id } = toRow(data)
  const id = String(product_access_id)
  const [bulk, access] = [state.bulkChanges.get(String(bulk_change_id)), state.accesses.get(id)]
  if (!bulk || !access || bulk.isDryRun || Number(id) <= Number([...bulk.changed.keys()].at(-1) ?? 0)) return undefined
  if (!bulk.reverts && !matches(access, bulk.filter ?? {}, bulk.at)) return undefined
  const to = nextOf(bulk, access)
  const changes = changesOf(access.json, to)
  if (Object.keys(changes).length === 0) return undefined
  const { status, access_due_date } = access.json
  bulk.changed.set(id, { from: { status, access_due_date }, to: { status, access_due_date, ...to } })
  state.accesses.set(id, { ...access, json: { ...access.json, ...to }, etag: '' })
  const event = eventOf('product_access.updated', access, { changes, bulk_change_id })
  return { ...event, at: Date.parse(String(timestamp)), requestId: bulk.requestId, actor: bulk.actor }
}

/** A bulk change of so few accesses has ended by then. */
const ENDED_MS = 60_000

function cancel({ bulkChanges }: State, { id, drawn, now }: Call): Outcome {
  const bulk = bulkChanges.get(id)
  if (!bulk) return notFound
  if (now > bulk.at + ENDED_MS || drawn.json['state'] !== 'canceled')
    return { status: 422, code: 'not_running', fields: ['id'] }
  bulkChanges.set(id, { ...bulk, at: 0 })
  const events = bulk.isDryRun ? [] : [{ type: 'bulk_change.canceled', data: { bulk_change_id: id } }]
  return { status: 200, body: { id, state: 'canceled' }, events }
}

/** What it has counted is known if nothing else has changed an access meanwhile. */
function countsOf({ feed, events }: State, { id, outcomes, changed, isDryRun, since }: BulkChange): Row {
  const others = [...feed, ...events]
    .slice(since)
    .filter(
      ({ type, data }) =>
        /^(user|product_access)\.(?!expir)/.test(String(type)) && toRow(data)['bulk_change_id'] !== id,
    )
  if (others.length > 0) return {}
  const count = outcomes.filter(Boolean).length
  const missing = isDryRun ? 0 : count - changed.size
  return {
    progress: 100,
    matched: outcomes.length,
    changed: missing === 0 ? count : `${missing} events are missing`,
    unchanged: outcomes.length - count,
  }
}

/** It is created with its first event, starts before or with the first access, and ends with its last event. */
function timesOf({ feed }: State, { id, isDryRun }: BulkChange, started_at: unknown): Row {
  const times = feed
    .filter(({ data }) => toRow(data)['bulk_change_id'] === id)
    .map(({ timestamp }) => String(timestamp))
  const [first = '', second = ''] = times
  const isStarted = String(started_at) >= first && String(started_at) <= second
  return isDryRun ? {} : { created_at: first, started_at: isStarted ? started_at : second, finished_at: times.at(-1) }
}

function read(state: State, { id, drawn: { json } }: Call): Outcome {
  const bulk = state.bulkChanges.get(id)
  if (!bulk) return notFound
  const done = json['state'] === 'done' ? { ...countsOf(state, bulk), ...timesOf(state, bulk, json['started_at']) } : {}
  return { status: 200, body: { id, reverted_by: bulk.revertedBy, ...done } }
}

const WRITE = { scope: 'product_accesses:write', role: 'office' } as const
const READ = { scope: 'product_accesses:read', role: 'viewer' } as const

export const BULK_OPERATIONS: Record<string, Operation> = {
  'POST /bulk_changes': {
    ...WRITE,
    body: {
      filter: objectOf(FILTER, () => []),
      change: objectOf(CHANGE, isChange),
      dry_run: values.optional(values.boolean),
    },
    required: missingOf('filter', 'change'),
    takesTime: true,
    key: 'bulk change',
    perform: create,
  },
  'GET /bulk_changes': {
    ...READ,
    query: { order: ifSent(order), limit: PAGE.limit, after: opaque },
    perform: page(({ bulkChanges }) => [...bulkChanges.keys()].map((id) => ({ id })), {
      usual: 'desc',
      byPosition: true,
    }),
  },
  'GET /bulk_changes/{id}': { ...READ, perform: read },
  'POST /bulk_changes/{id}/cancel': { ...WRITE, body: {}, perform: cancel },
  'POST /bulk_changes/{id}/revert': { ...WRITE, body: {}, key: 'revert', perform: revert },
}
