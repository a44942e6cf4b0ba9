/** Closes what an import has granted, and puts back what it has changed of accesses. */
import { OPEN_STATUS } from '../../src/db/schema/access-status.ts'
import type { AccessState } from './stored-accesses.ts'
import { etagOfCreation } from './undo-record.ts'
import type { AccessValues, FoundAccess, FreshAccess } from './undo-service.ts'
import { ATTEMPTS, type UndoStep, type Who } from './undo-step.ts'

export const CLOSED = 'without_access'
const DAY_MS = 24 * 3_600_000

interface Back {
  id: string
  product: string
  target: AccessValues
  /** Whether the access is as the import has left it. */
  isLeft: (fresh: FreshAccess) => boolean
  count: 'closed' | 'accesses'
}

/** The date stays: without it nobody could see how long the access was to last. */
export function closeGranted(step: UndoStep, who: Who, { id, product }: FoundAccess, left: AccessState): Promise<void> {
  const isLeft = ({ access, etag }: FreshAccess): boolean => etag === etagOfCreation(id) || isAsGranted(access, left)
  return putAccess(step, who, { id, product: product.name, target: { status: CLOSED }, isLeft, count: 'closed' })
}

export function putAccessBack(
  step: UndoStep,
  who: Who,
  { id, product, from, to }: { id: string; product: string; from: AccessState; to: AccessState },
  isAnswered: boolean,
): Promise<void> {
  // A limit is removed once the batch has been carried out, so a kill may have come in between.
  const isDue = (due: string | null): boolean => due === to.due || (!isAnswered && to.due === null && due === from.due)
  const isLeft = ({ access }: FreshAccess): boolean =>
    access.user === who.id && access.status === to.status && isDue(access.due)
  return putAccess(step, who, { id, product, target: from, isLeft, count: 'accesses' })
}

async function putAccess(step: UndoStep, who: Who, { id, product, target, isLeft, count }: Back): Promise<void> {
  const note = (): void => {
    step.counts[count]++
    if (count === 'closed') step.closed.push(id)
  }
  let wasLost = false
  for (let mismatches = 0; mismatches < ATTEMPTS;) {
    const fresh = await step.service.readAccess(id)
    if (!fresh) return
    if (isSame(fresh.access, target)) return wasLost ? note() : undefined
    if (!isLeft(fresh)) break
    const written = await step.service.putAccess(id, target, fresh.etag)
    if (written === 'done') return note()
    if (written === 'gone') return
    if (typeof written === 'object') return step.stay(who, 'rejected', product, written.rejected[0]?.explanation)
    wasLost = written === 'lost'
    if (!wasLost) mismatches++
  }
  step.stay(who, 'access_changed', product)
}

function isSame(access: FoundAccess, { status, due }: AccessValues): boolean {
  return access.status === status && (due === undefined || access.due === due)
}

/** Without a date in the file, the product has decided. */
export function isAsGranted(access: FoundAccess, { status = OPEN_STATUS, due }: Partial<AccessState>): boolean {
  return access.status === status && access.due === (due === undefined ? defaultDue(access) : due)
}

function defaultDue({ createdAt, expirationDays }: FoundAccess): string | null {
  if (expirationDays === undefined) return null
  return new Date(Date.parse(createdAt) + expirationDays * DAY_MS).toISOString()
}
