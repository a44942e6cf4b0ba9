/** What a bulk change does, as its form has it. */
import type { NewBulkChange } from '../../api/bulk-changes.ts'
import { isOpenStatus } from '../../parts/access-states.ts'
import { endOfDayIn } from '../../parts/due-days.ts'

/** The API's limit for `extend_days`. */
export const MAX_DAYS = 3650
export const KINDS = ['extend', 'date', 'close', 'reopen'] as const

export type Kind = (typeof KINDS)[number]

/** What the operator has entered so far. */
export interface Draft {
  kind: Kind
  days: number | string
  date: string | null
  /** Whether closed accesses are opened as well. */
  reopens: boolean
}

export function newDraft(zone: string, kind: Kind = 'extend'): Draft {
  return { kind, days: 30, date: endOfDayIn(30, zone), reopens: false }
}

export function kindOf({ extend_days, access_due_date, status }: NewBulkChange['change']): Kind {
  if (extend_days !== undefined) return 'extend'
  if (access_due_date !== undefined) return 'date'
  return status !== undefined && isOpenStatus(status) ? 'reopen' : 'close'
}

/**
 * Returns undefined while the number of days is invalid. The service adds days to the current time if an access has ended.
 * If all have, they get the end of that day instead, or they would end in the middle of it.
 */
export function changeOf(
  { kind, days, date, reopens }: Draft,
  haveAllEnded: boolean,
  zone: string,
): NewBulkChange['change'] | undefined {
  if (kind === 'close') return { status: 'without_access' }
  if (kind === 'reopen') return { status: 'with_access' }
  const status = reopens && { status: 'with_access' as const }
  if (kind === 'date') return { access_due_date: date, ...status }
  if (typeof days !== 'number' || days < 1 || days > MAX_DAYS) return undefined
  return haveAllEnded ? { access_due_date: endOfDayIn(days, zone), ...status } : { extend_days: days, ...status }
}
