/** What a bulk change does, as its form has it. */
import type { NewBulkChange } from '../../api/bulk-changes.ts'
import { isOpenStatus } from '../../parts/access-states.ts'
import { endOfDayIn, endOfDayInMonths } from '../../parts/due-days.ts'
import { type SpanDraft, spanOf } from './span.ts'

export const KINDS = ['extend', 'date', 'close', 'reopen'] as const

export type Kind = (typeof KINDS)[number]

/** What the operator has entered so far. */
export interface Draft extends SpanDraft {
  kind: Kind
  date: string | null
  /** Whether an access that ends later, or never, keeps its date. */
  neverShortens: boolean
  /** Whether closed accesses are opened as well. */
  reopens: boolean
}

export function newDraft(zone: string, kind: Kind = 'extend'): Draft {
  return { kind, span: '1', days: 30, date: endOfDayIn(30, zone), neverShortens: true, reopens: false }
}

export function kindOf({ extend_days, extend_months, access_due_date, status }: NewBulkChange['change']): Kind {
  if (extend_days !== undefined || extend_months !== undefined) return 'extend'
  if (access_due_date !== undefined) return 'date'
  return status !== undefined && isOpenStatus(status) ? 'reopen' : 'close'
}

/**
 * Returns undefined while the number of days is invalid. The service adds to the current time if an access has ended. If
 * all have, they get the end of that day instead, or they would end in the middle of it.
 */
export function changeOf(draft: Draft, haveAllEnded: boolean, zone: string): NewBulkChange['change'] | undefined {
  const { kind, date, neverShortens, reopens } = draft
  if (kind === 'close') return { status: 'without_access' }
  if (kind === 'reopen') return { status: 'with_access' }
  const status = reopens && { status: 'with_access' as const }
  if (kind === 'date') return { access_due_date: date, ...(neverShortens && { never_shorten: true }), ...status }
  const by = spanOf(draft)
  if (by === undefined) return undefined
  if (haveAllEnded) {
    const end = 'months' in by ? endOfDayInMonths(by.months, zone) : endOfDayIn(by.days, zone)
    return { access_due_date: end, ...status }
  }
  return 'months' in by ? { extend_months: by.months, ...status } : { extend_days: by.days, ...status }
}
