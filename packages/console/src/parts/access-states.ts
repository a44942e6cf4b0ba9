import { type AccessStatus, OPEN_STATUS } from '../../../../src/db/schema/access-status.ts'
import type { Schemas } from '../api/client.ts'

export const ACCESS_STATES = ['in_force', 'ended', 'closed'] as const
/** `ended`: the due date has passed. `closed`: someone has closed the access, whatever its date is. */
export type AccessState = (typeof ACCESS_STATES)[number]

export function accessStateOf(
  { status, access_due_date: due }: Pick<Schemas['ProductAccess'], 'status' | 'access_due_date'>,
  now: number,
): AccessState {
  return closedStateOf(status) ?? (due !== null && Date.parse(due) < now ? 'ended' : 'in_force')
}

/** What an access with this status is, whatever its due date is; undefined if the date decides. */
export function closedStateOf(status: AccessStatus): AccessState | undefined {
  switch (status) {
    case 'with_access':
      return undefined
    case 'without_access':
      return 'closed'
    default:
      return closedByUnknown(status)
  }
}

/** The service may be newer than this page. A status that the page does not know must not look open. */
function closedByUnknown(_status: never): AccessState {
  return 'closed'
}

export function isOpenStatus(status: AccessStatus): boolean {
  return status === OPEN_STATUS
}
