/** The filters of the accesses. They are part of the URL and therefore never contain personal data. */
export type Status = 'with_access' | 'without_access'

export interface AccessFilter {
  product?: string
  status?: Status
  due_after?: string
  due_before?: string
}

export const DAY_MS = 86_400_000
export const DUE_DAYS = [7, 30, 90]

/** Reads the filters from the URL. Somebody may have typed it, so invalid values are ignored. */
export function accessFilter(search: Record<string, unknown>): AccessFilter {
  const { product, status, due_after, due_before } = search
  return {
    ...((typeof product === 'string' || typeof product === 'number') && { product: String(product) }),
    ...(isStatus(status) && { status }),
    ...(isTime(due_after) && { due_after }),
    ...(isTime(due_before) && { due_before }),
  }
}

export function isStatus(value: unknown): value is Status {
  return value === 'with_access' || value === 'without_access'
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

export function toQuery({ product, ...rest }: AccessFilter) {
  return { ...(product !== undefined && { product_id: product }), ...rest }
}
