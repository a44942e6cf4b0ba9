/** The accesses of a batch: those that users bring, and those that are granted by themselves. */
import { sql } from 'drizzle-orm'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { product_accesses } from '../../db/schema.ts'
import { type BatchValues, freshEvents, ownEvents } from '../change/batch-events.ts'
import { isAnyChanged, shownChanges } from '../change/changes.ts'
import { eventId } from '../change/event.ts'
import { expiryMarksAfter } from './expiry.ts'
import { dueOf, newAccess } from './grant.ts'
import type { AccessStatus } from './product-accesses.ts'

/** What is undefined keeps its value, or is as in a grant. */
export interface GivenAccess {
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch; null is no limit, and keeps the date of an access that is there. */
  access_due_date?: number | null | undefined
}

/** An access as the statements read it. */
export function accessItem({ status, access_due_date }: GivenAccess) {
  return { status, access_due_date, is_due_given: access_due_date === undefined ? 0 : 1 }
}

const { status, access_due_date } = product_accesses

/** The values after an update by `given`, which holds an `accessItem`. */
const newStatus = sql`coalesce(given ->> 'status', ${status})`
const newDue = sql`coalesce(given ->> 'access_due_date', ${access_due_date})`

const compared = [
  { field: 'status', from: sql`${status}`, to: newStatus },
  { field: 'access_due_date', from: sql`${access_due_date}`, to: newDue },
]

/** Whether the update changes anything. */
export const isAccessChanged = isAnyChanged(compared)

/** What the event of an update tells: each value that changes, before and after. */
export const changedValues = shownChanges('changes', compared)

const insertAccesses = statement((p: Params<BatchValues>, orm) => {
  const due = dueOf(p, {
    product_id: sql`e.product_id`,
    given: sql`given ->> 'access_due_date'`,
    isGiven: sql`given ->> 'is_due_given'`,
  })
  return insertFrom(
    orm,
    product_accesses,
    newAccess(p, {
      user_id: sql`e.user_id`,
      product_id: sql`e.product_id`,
      status: sql`coalesce(given ->> 'status', 'with_access')`,
      access_due_date: due,
    }),
    sql`from ${freshEvents(p)} e where e.type = 'product_access.granted'
      and not exists (select 1 from ${product_accesses} made where made.id = e.id)`,
  )
})

const updateAccesses = statement((p: Params<BatchValues>, orm) =>
  orm
    .update(product_accesses)
    .set({
      status: newStatus,
      access_due_date: newDue,
      ...expiryMarksAfter(p, newStatus, newDue),
      event_id: eventId,
      changed_by: eventId,
    })
    .from(sql`${ownEvents(p)} e`)
    .where(
      sql`e.type = 'product_access.updated' and ${product_accesses.id} = e.subject_id
        and ${product_accesses.event_id} < e.id`,
    ),
)

/** The statements that follow the events of accesses. */
export function accessSteps(values: BatchValues) {
  return { accesses: insertAccesses(values), accessUpdates: updateAccesses(values) }
}
