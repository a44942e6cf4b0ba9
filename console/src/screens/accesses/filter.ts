/** The filters of the accesses, as they are in the URL. */
import { choiceIn, type OrderSearch, readOrder, type Search, textIn } from '../../address.ts'

export type Status = 'with_access' | 'without_access'

export const ACCESS_STATES = ['in_force', 'ended', 'closed'] as const
/** `ended`: the due date has passed. `closed`: someone has closed the access, whatever its date is. */
export type AccessState = (typeof ACCESS_STATES)[number]

export interface AccessFilter {
  product?: string
  state?: AccessState
  due_after?: string
  due_before?: string
}

/** The filters, and the order of the list. */
export interface AccessSearch extends AccessFilter, OrderSearch {}

export const DAY_MS = 86_400_000
export const DUE_DAYS = [7, 30, 90]

/** Reads the filters from the URL. Somebody may have typed it, so invalid values are ignored. */
export function accessFilter(search: Search): AccessFilter {
  const product = textIn(search['product'])
  const state = choiceIn(search['state'], ACCESS_STATES)
  const { due_after, due_before } = search
  return {
    ...(product !== undefined && /^\d{1,10}$/.test(product) && { product }),
    ...(state && { state }),
    ...(isTime(due_after) && { due_after }),
    ...(isTime(due_before) && { due_before }),
  }
}

export function accessSearch(search: Search): AccessSearch {
  return { ...accessFilter(search), ...readOrder(search) }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value))
}

/**
 * Returns `any`, `past`, a number of days, or `between` for times that are not in the menu, which only a typed URL can
 * have.
 */
export function dueChoiceOf({ due_after, due_before }: AccessFilter): string {
  if (due_after === undefined && due_before === undefined) return 'any'
  if (due_after === undefined) return 'past'
  const days = due_before === undefined ? 0 : (Date.parse(due_before) - Date.parse(due_after)) / DAY_MS
  return DUE_DAYS.includes(days) ? String(days) : 'between'
}

/** Returns the times for an option of the menu, relative to now. */
export function timesOf(choice: string, now = Date.now()): Pick<AccessFilter, 'due_after' | 'due_before'> {
  const at = new Date(now).toISOString()
  if (choice === 'past') return { due_before: at }
  const days = Number(choice)
  return DUE_DAYS.includes(days) ? { due_after: at, due_before: new Date(now + days * DAY_MS).toISOString() } : {}
}

const STATUS_OF = { in_force: 'with_access', ended: 'with_access', closed: 'without_access' } as const

/** Returns the filter of a list or a file. In a query, booleans are texts. */
export function toQuery({ state, ...filter }: AccessFilter) {
  return {
    ...termsOf(filter),
    ...(state && { status: STATUS_OF[state] }),
    ...(state === 'in_force' && { in_force: 'true' as const }),
    ...(state === 'ended' && { in_force: 'false' as const }),
  }
}

/** Returns the filter of a bulk change, which is JSON. */
export function toBulkFilter({ state, ...filter }: AccessFilter) {
  return {
    ...termsOf(filter),
    ...(state && { status: STATUS_OF[state] }),
    ...(state === 'in_force' && { in_force: true }),
    ...(state === 'ended' && { in_force: false }),
  }
}

function termsOf({ product, due_after, due_before }: Omit<AccessFilter, 'state'>) {
  return {
    ...(product !== undefined && { product_id: product }),
    ...(due_after !== undefined && { due_after }),
    ...(due_before !== undefined && { due_before }),
  }
}
