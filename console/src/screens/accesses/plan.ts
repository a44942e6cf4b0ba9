/** Determines what a bulk change would do to one access. */
import type { Schemas } from '../../api/client.ts'
import { DAY_MS, type Status } from './filter.ts'

type Access = Schemas['ProductAccess']

export type BulkChange =
  | { kind: 'extend_by'; days: number }
  /** `date` is null to remove the limit. */
  | { kind: 'extend_to'; date: string | null; mayShorten: boolean }
  | { kind: 'close' }
  | { kind: 'reopen' }

/** Why the change has no effect on an access. */
export type Reason = 'noLimit' | 'sameDate' | 'laterDate' | 'isClosed' | 'isOpen'
/** A result of the change that the operator may not expect. */
export type Remark = 'stillClosed' | 'stillPast' | 'shorter'

export type Plan =
  | { reason: Reason }
  | { field: 'access_due_date'; from: string | null; to: string | null; remarks: Remark[] }
  | { field: 'status'; from: Status; to: Status; remarks: Remark[] }

export function planOf(access: Access, change: BulkChange, now = Date.now()): Plan {
  const { status, access_due_date: due } = access
  if (change.kind === 'close') {
    if (status === 'without_access') return { reason: 'isClosed' }
    return { field: 'status', from: status, to: 'without_access', remarks: [] }
  }
  if (change.kind === 'reopen') {
    if (status === 'with_access') return { reason: 'isOpen' }
    return { field: 'status', from: status, to: 'with_access', remarks: timeOf(due) < now ? ['stillPast'] : [] }
  }
  if (change.kind === 'extend_by') {
    if (due === null) return { reason: 'noLimit' }
    return extension(access, new Date(Date.parse(due) + change.days * DAY_MS).toISOString(), now)
  }
  const [before, after] = [timeOf(due), timeOf(change.date)]
  if (after === before) return { reason: due === null ? 'noLimit' : 'sameDate' }
  if (after < before && !change.mayShorten) return { reason: due === null ? 'noLimit' : 'laterDate' }
  return extension(access, change.date, now)
}

function extension({ status, access_due_date: from }: Access, to: string | null, now: number): Plan {
  const remarks: Remark[] = []
  if (timeOf(to) < timeOf(from)) remarks.push('shorter')
  if (timeOf(to) < now) remarks.push('stillPast')
  if (status === 'without_access') remarks.push('stillClosed')
  return { field: 'access_due_date', from, to, remarks }
}

/** No limit counts as later than any date. */
function timeOf(date: string | null): number {
  return date === null ? Infinity : Date.parse(date)
}
