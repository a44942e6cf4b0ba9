/**
 * Bulk changes (contract, section 13): what one may ask for, and what happens to each access that is reached. That it is
 * reached, and how soon, is checked by scenarios (exam/bulk-changes.ts).
 */
import { EXTENSION, LENGTH } from '../../../src/limits.ts'
import { BULK } from '../../../src/modules/bulk-changes/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { isOpen } from '../contract.ts'
import { eventOf, productOf, status } from './accesses.ts'
import { extended } from './calendar.ts'
import { invalidIn, isObject, missingOf, unknownIn } from './input.ts'
import { accessesWhere, finds, opaque, order, PAGE, page } from './lists.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { type Access, type BulkChange, changesOf, endOf, iso, type SentEvent, type State, zoneOf } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { ifSent } = values

/** Both are needed. */
const fieldFilter: Rule = (value, now) =>
  objectOf({ key: values.fieldKey, value: values.text(LENGTH.customFieldValue) }, () => [])(value, now)

const FILTER: Record<string, Rule> = {
  product_id: ifSent(values.recordId),
  user_ids: ifSent(
    values.rule(
      (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= BULK.users &&
        value.every((id) => values.recordId(id, 0).length === 0),
    ),
  ),
  custom_field: ifSent((value, now) => fieldFilter(value, now)),
  status: ifSent(status),
  in_force: ifSent(values.boolean),
  due_after: ifSent(values.dateTime),
  due_before: ifSent(values.dateTime),
}

const CHANGE: Record<string, Rule> = {
  status: ifSent(status),
  access_due_date: values.optional(values.dateTime),
  never_shorten: ifSent(values.boolean),
  extend_days: ifSent(values.integer(1, EXTENSION.days)),
  extend_months: ifSent(values.integer(1, EXTENSION.months)),
}

const objectOf =
  (fields: Record<string, Rule>, check: Rule): Rule =>
  (value, now) => {
    if (!isObject(value)) return ['']
    const row = toRow(value)
    const invalidFields = invalidIn(fields, row, now)
    const together = check(row, now).filter((path) => !invalidFields.includes(path))
    return [...invalidFields, ...together, ...unknownIn(fields, row)]
  }

/** At least one of the four, and a date is set, or extended by days or months. */
const isChange: Rule = (value) => {
  const { access_due_date: due, never_shorten, extend_days, extend_months, ...rest } = toRow(value)
  const sent = Object.entries({ access_due_date: due, extend_days, extend_months }).filter(
    ([, each]) => each !== undefined,
  )
  if (sent.length === 0 && rest['status'] === undefined && never_shorten !== true) return ['']
  const needsDue = never_shorten === true && due === undefined ? ['never_shorten'] : []
  return [...needsDue, ...sent.slice(1).map(([name]) => name)]
}

function create(state: State, call: Call): Outcome {
  const { body, drawn } = call
  const { product_id, user_ids, custom_field } = toRow(body['filter'])
  const { key } = toRow(custom_field)
  const users = Array.isArray(user_ids) ? user_ids : []
  const unknown = [
    ...(product_id !== undefined && productOf(state, { product_id }) === undefined ? ['filter.product_id'] : []),
    ...(typeof key === 'string' && !state.fields.has(key) ? ['filter.custom_field.key'] : []),
    ...users.flatMap((id, i) => (state.users.has(String(id)) ? [] : [`filter.user_ids.${i}`])),
  ]
  if (unknown.length > 0) return invalid(...unknown)
  if (mayHaveTooMany(state, call)) return limitReached('filter')
  const [filter, sent] = [stored(toRow(body['filter'])), stored(toRow(body['change']))]
  const change = sent['never_shorten'] === false ? { ...sent, never_shorten: undefined } : sent
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
  if (mayHaveTooMany(state, call)) return limitReached('id')
  const { json, events } = call.drawn
  const id = newId(state, json['id'] ?? toRow(events[0]?.['data'])['bulk_change_id'])
  state.bulkChanges.set(call.id, { ...reverts, revertedBy: id })
  return begin(state, call, { id, filter: null, change: null, isDryRun: false, reverts })
}

type New = Pick<BulkChange, 'id' | 'filter' | 'change' | 'isDryRun' | 'reverts'>

function begin(state: State, { caller: { actor }, drawn: { requestId }, now }: Call, given: New): Outcome {
  const { id, filter, change, isDryRun, reverts } = given
  const zone = zoneOf(state)
  const bulk = { ...given, at: now, zone, requestId, actor, revertedBy: null, changed: new Map() }
  const since = state.feed.length + state.events.length
  state.bulkChanges.set(id, { ...bulk, outcomes: outcomesOf(state, bulk), since })
  const events = isDryRun ? [] : [{ type: 'bulk_change.created', data: { bulk_change_id: id } }]
  const body = { id, dry_run: isDryRun, reverts: reverts?.id ?? null, filter, change, reverted_by: null }
  return { status: 202, body, record: id, events }
}

type Plan = Pick<BulkChange, 'filter' | 'change' | 'at' | 'zone' | 'reverts'>

/** What changes of each access that the bulk change reaches, if nothing else happens meanwhile. */
function outcomesOf(state: State, bulk: Plan): Row[] {
  const reached = bulk.reverts
    ? [...bulk.reverts.changed.keys()].flatMap((id) => state.accesses.get(id) ?? [])
    : accessesWhere(state, bulk.filter ?? {}, bulk.at)
  return reached.map((access) => changesOf(access.json, nextOf(bulk, access)))
}

/** What the bulk change sets when it reaches this access. */
function nextOf({ change, at, zone, reverts }: Plan, access: Access): Row {
  if (!reverts) return afterChange(access, change ?? {}, { at, zone })
  // Whatever is still as it was left gets back what it had.
  const { from, to = {} } = reverts.changed.get(String(access.json['id'])) ?? {}
  return Object.keys(changesOf(access.json, to)).length === 0 ? (from ?? {}) : {}
}

/** A date that has passed is extended from the time of the request. An access without one stays as it is. */
export function afterChange({ json }: Access, change: Row, { at, zone }: { at: number; zone: string }): Row {
  const { status = json['status'], access_due_date: due, never_shorten, extend_days, extend_months } = change
  const before = json['access_due_date']
  if (due !== undefined) {
    const isKept = never_shorten === true && endOf(json) > endOf({ access_due_date: due })
    return { status, access_due_date: isKept ? before : due }
  }
  const by = extend_days === undefined ? { months: Number(extend_months) } : { days: Number(extend_days) }
  const isExtended = endOf(json) !== Infinity && (extend_days ?? extend_months) !== undefined
  const later = isExtended ? extended(Math.max(endOf(json), at), by, zone) : undefined
  return { status, access_due_date: later === undefined ? before : iso(later) }
}

/** How many of these changes have each effect. */
function effectsOf(outcomes: readonly Row[]): Row {
  const count = (field: string, has: (from: unknown, to: unknown) => boolean) =>
    outcomes.filter(
      (changes) => changes[field] !== undefined && has(toRow(changes[field])['from'], toRow(changes[field])['to']),
    ).length
  const due = (has: (from: number, to: number) => boolean) =>
    count('access_due_date', (from, to) => has(endOf({ access_due_date: from }), endOf({ access_due_date: to })))
  return {
    opened: count('status', (from, to) => !isOpen(from) && isOpen(to)),
    closed: count('status', (from, to) => isOpen(from) && !isOpen(to)),
    later: due((from, to) => from < to && to < Infinity),
    earlier: due((from, to) => to < from && from < Infinity),
    limited: due((from, to) => from === Infinity && to < Infinity),
    unlimited: due((from, to) => from < Infinity && to === Infinity),
  }
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
  if (hasEnded(state, bulk) || isOrphaned(state, bulk)) return undefined
  if (!bulk.reverts && !finds(state, access, bulk.filter ?? {}, bulk.at)) return undefined
  const to = nextOf(bulk, access)
  const changes = changesOf(access.json, to)
  if (Object.keys(changes).length === 0) return undefined
  const { status, access_due_date } = access.json
  bulk.changed.set(id, { from: { status, access_due_date }, to: { status, access_due_date, ...to } })
  state.accesses.set(id, { ...access, json: { ...access.json, ...to }, etag: '' })
  const event = eventOf('product_access.updated', access, { changes, bulk_change_id })
  return { ...event, at: Date.parse(String(timestamp)), requestId: bulk.requestId, actor: bulk.actor }
}

/**
 * Whether the events so far say that the token which created the bulk change was revoked, or that its store is suspended:
 * then it changes nothing more, and the service cancels it. What an operator has created goes on.
 */
export function isOrphaned({ feed }: State, { actor }: BulkChange): boolean {
  if (actor['type'] !== 'access_token') return false
  const suspensionOf = ({ data }: Row) => toRow(toRow(toRow(data)['changes'])['suspended'])['to']
  const suspended = feed.map(suspensionOf).findLast((to) => to !== undefined)
  const isRevoked = feed.some(
    ({ type, data }) => type === 'access_token.revoked' && toRow(data)['access_token_id'] === actor['id'],
  )
  return suspended === true || isRevoked
}

/** Whether the events so far say that it has ended. */
function hasEnded({ feed }: State, { id }: BulkChange): boolean {
  return feed.some(
    ({ type, data }) => toRow(data)['bulk_change_id'] === id && /^bulk_change\.(canceled|finished)$/.test(String(type)),
  )
}

/** As many as a store may have may not have ended yet. How many have is for the service to say. */
function mayHaveTooMany({ bulkChanges }: State, { drawn, now }: Call): boolean {
  const left = [...bulkChanges.values()].filter(({ at }) => at + ENDED_MS > now)
  return left.length >= BULK.unfinished && drawn.json['code'] === 'limit_reached'
}

const limitReached = (field: string): Outcome => ({ status: 422, code: 'limit_reached', fields: [field] })

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
  const count = outcomes.filter((changes) => Object.keys(changes).length > 0).length
  const missing = isDryRun ? 0 : count - changed.size
  return {
    progress: 100,
    matched: outcomes.length,
    changed: missing === 0 ? count : `${missing} events are missing`,
    unchanged: outcomes.length - count,
    effects: effectsOf(outcomes),
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
