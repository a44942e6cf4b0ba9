/**
 * Bulk changes (contract, section 13): what one may ask for, and what it does to an access when it is reached. When that
 * happens is checked by scenarios (exam/bulk-effects.ts).
 */
import { BULK, DAY_MS, MAX_TIME } from '../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { productOf, status } from './accesses.ts'
import { invalidIn, isObject, missingOf, unknownIn } from './input.ts'
import { accessesWhere, byId, opaque, order, PAGE, page } from './lists.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { type Access, endOf, iso, type State } from './state.ts'
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
  extend_days: ifSent(values.integer(1, BULK.maxExtendDays)),
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

function create(state: State, { body, drawn, now }: Call): Outcome {
  const { filter, change, dry_run } = body
  const { product_id, user_ids } = toRow(filter)
  const users = Array.isArray(user_ids) ? user_ids : []
  const unknown = [
    ...(product_id !== undefined && productOf(state, { product_id }) === undefined ? ['filter.product_id'] : []),
    ...(users.every((id) => state.users.has(String(id))) ? [] : ['filter.user_ids']),
  ]
  if (unknown.length > 0) return invalid(...unknown)
  const isDryRun = dry_run === true
  // A dry run is no record, so that its number may be that of another record.
  const id = isDryRun ? String(drawn.json['id']) : newId(state, drawn.json['id'])
  state.bulkChanges.set(id, now)
  return { status: 202, body: { id, dry_run: isDryRun, reverts: null, ...sent(filter, change) }, record: id }
}

/** Dates are shown as they are stored. */
function sent(filter: unknown, change: unknown): Row {
  const stored = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name.includes('due_') ? values.storedTime(value) : value]),
    )
  return { filter: stored(toRow(filter)), change: stored(toRow(change)) }
}

function revert(state: State, { id: reverts, drawn, now }: Call): Outcome {
  if (!state.bulkChanges.has(reverts)) return notFound
  if (state.revertedBulkChanges.has(reverts)) return { status: 422, code: 'not_done', fields: ['id'] }
  const id = String(drawn.json['id'])
  state.bulkChanges.set(id, now)
  state.revertedBulkChanges.add(reverts)
  return { status: 202, body: { id, reverts, filter: null, change: null }, record: id }
}

/** An access that a bulk change reaches, and what it has afterwards. */
export interface Reached {
  access: Access
  next: Row
}

/** What a bulk change that was sent at this time does, in the order in which it reaches the accesses. */
export function reach(state: State, filter: Row, change: Row, now: number): Reached[] {
  const accesses = accessesWhere(state, filter, now).toSorted((a, b) => byId(a.json, b.json))
  return accesses.map((access) => ({ access, next: afterChange(access, change, now) }))
}

/** A date that has passed is extended from the time of the request. An access without one stays as it is. */
export function afterChange({ json }: Access, change: Row, now: number): Row {
  const { extend_days, access_due_date: due } = change
  const extended = Math.max(endOf(json), now) + Number(extend_days) * DAY_MS
  const isExtended = extend_days !== undefined && extended <= MAX_TIME
  return {
    status: change['status'] ?? json['status'],
    access_due_date: isExtended ? iso(extended) : due === undefined ? json['access_due_date'] : values.storedTime(due),
  }
}

/** What a revert does: whatever is still as it was left gets back what it had. */
export function reachAgain(state: State, before: Map<string, Access>, reached: Reached[]): Reached[] {
  const isSame = (json: Row, next: Row) => Object.entries(next).every(([name, value]) => json[name] === value)
  return reached.flatMap(({ access, next }) => {
    const id = String(access.json['id'])
    const [now, old] = [state.accesses.get(id), before.get(id)]
    if (!now || !old || isSame(old.json, next)) return []
    const { status, access_due_date } = isSame(now.json, next) ? old.json : now.json
    return [{ access: now, next: { status, access_due_date } }]
  })
}

function read({ bulkChanges }: State, { id }: Call): Outcome {
  return bulkChanges.has(id) ? { status: 200, body: { id } } : notFound
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
  'POST /bulk_changes/{id}/revert': { ...WRITE, body: {}, key: 'revert', perform: revert },
}
