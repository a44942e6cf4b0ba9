/** The filters of the accesses, as they are in the URL. */
import type { AccessStatus } from '../../../../../src/db/schema/access-status.ts'
import { choiceIn, type OrderSearch, readOrder, type Search, textIn } from '../../address.ts'
import { ACCESS_STATES, type AccessState } from '../../parts/access-states.ts'
import { type FieldFilter, fieldFilter, fieldQuery } from '../users/field-filter.ts'

export const DUE_DAYS = ['7', '30', '90'] as const
export const DUE = [...DUE_DAYS, 'past', 'none'] as const
/** A number of days from now, `past`, or `none` for an access without an end. In the URL it stays relative, so a shared link means the same next week. */
type Due = (typeof DUE)[number]

export interface AccessFilter extends FieldFilter {
  product?: string
  /** The id of a user. */
  user?: string
  state?: AccessState
  due?: Due
  /** An access ends before a day that is chosen. Only a typed URL has the other time, or a link of an earlier release. */
  due_after?: string
  due_before?: string
}

/** The filters, and the order of the list. */
export interface AccessSearch extends AccessFilter, OrderSearch {}

const DAY_MS = 86_400_000

/** Reads the filters from the URL. Somebody may have typed it, so invalid values are ignored. */
export function accessFilter(search: Search): AccessFilter {
  const product = idIn(search['product'])
  const user = idIn(search['user'])
  const state = choiceIn(search['state'], ACCESS_STATES)
  return {
    ...(product !== undefined && { product }),
    ...(user !== undefined && { user }),
    ...(state && { state }),
    ...dueFilter(search),
    ...fieldFilter(search),
  }
}

function idIn(value: unknown): string | undefined {
  const id = textIn(value)
  return id !== undefined && /^\d{1,10}$/.test(id) ? id : undefined
}

/** The part of the filters that is about the due date. */
function dueFilter(search: Search): Pick<AccessFilter, 'due' | 'due_after' | 'due_before'> {
  const due = choiceIn(search['due'], DUE)
  const { due_after, due_before } = search
  if (due) return { due }
  return { ...(isTime(due_after) && { due_after }), ...(isTime(due_before) && { due_before }) }
}

export function accessSearch(search: Search): AccessSearch {
  return { ...accessFilter(search), ...readOrder(search) }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value))
}

/** Returns what the menu says: `before` for a chosen day, and `between` for times that are not in the menu. */
export function dueChoiceOf({ due, due_after, due_before }: AccessFilter): Due | 'any' | 'before' | 'between' {
  if (due !== undefined) return due
  if (due_after !== undefined) return 'between'
  return due_before === undefined ? 'any' : 'before'
}

const STATUS_OF: Record<AccessState, AccessStatus> = {
  in_force: 'with_access',
  ended: 'with_access',
  closed: 'without_access',
}

/** Returns the filter of a list or a file, with times that are relative to now. In a query, booleans are texts. */
export function toQuery({ state, user, field, value, ...filter }: AccessFilter) {
  return {
    ...termsOf(filter),
    ...fieldQuery({ ...(field !== undefined && { field }), ...(value !== undefined && { value }) }),
    ...(user !== undefined && { user_id: user }),
    ...(state && { status: STATUS_OF[state] }),
    ...(state === 'in_force' && { in_force: 'true' as const }),
    ...(state === 'ended' && { in_force: 'false' as const }),
  }
}

/** Returns the filter of a bulk change, which is JSON, with times that are relative to now. */
export function toBulkFilter({ state, user, field, value, ...filter }: AccessFilter) {
  return {
    ...termsOf(filter),
    ...(field !== undefined && value !== undefined && { custom_field: { key: field, value } }),
    ...(user !== undefined && { user_ids: [user] }),
    ...(state && { status: STATUS_OF[state] }),
    ...(state === 'in_force' && { in_force: true }),
    ...(state === 'ended' && { in_force: false }),
  }
}

function termsOf({ product, due, ...times }: Omit<AccessFilter, 'state' | 'user' | keyof FieldFilter>) {
  return { ...(product !== undefined && { product_id: product }), ...(due ? timesOf(due) : times) }
}

function timesOf(due: Due) {
  const now = Date.now()
  // The service cannot select these, so the list does (list.ts).
  if (due === 'none') return {}
  if (due === 'past') return { due_before: new Date(now).toISOString() }
  return { due_after: new Date(now).toISOString(), due_before: new Date(now + Number(due) * DAY_MS).toISOString() }
}
