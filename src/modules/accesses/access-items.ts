/** Writes the accesses of a batch: those that are nested in users, and those that are granted by themselves. */
import { and, eq, sql, type SQLWrapper } from 'drizzle-orm'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { columnsOf, orm, statement } from '../../db/statement.ts'
import { batchParams, type BatchValues, givenJson, isBatchEventOfThisAttempt } from '../../change/many-records.ts'
import { differencesOf } from '../../change/record-fields.ts'
import { expiryColumnsAfter } from './expiry.ts'
import { dueDateOf, newAccessColumns } from './new-access.ts'
import { type AccessStatus, OPEN_STATUS } from './access-record.ts'

/** A field that is undefined keeps its value if the access exists. Otherwise it has the same default as in a grant. */
export interface GivenAccess {
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch. Null means no end for a new access, and keeps the date of an existing one. */
  access_due_date?: number | null | undefined
}

/** An access as the statements read it. */
export function accessItem({ status, access_due_date }: GivenAccess) {
  return { status, access_due_date, is_due_given: access_due_date === undefined ? 0 : 1 }
}

/**
 * The columns after an update; `given` is the JSON of an `accessItem`. With `never_shorten`, an access that ends later than
 * the given date, or never, keeps its date. Only the row itself knows its date when the update runs, so the rule is here.
 */
function accessAfter(given: SQLWrapper) {
  const { status, access_due_date: due } = product_accesses
  const givenDue = sql`(${given} ->> 'access_due_date')`
  const isLater = sql`(${due} is null or ${due} > ${givenDue})`
  return {
    status: sql<AccessStatus>`coalesce(${given} ->> 'status', ${status})`,
    access_due_date: sql<
      number | null
    >`iif(${batchParams.never_shorten} and ${isLater}, ${due}, coalesce(${givenDue}, ${due}))`,
  }
}

export function accessDifferences(given: SQLWrapper) {
  return differencesOf(product_accesses, accessAfter(given))
}

const insertAccesses = statement(batchParams, () => {
  const columns = newAccessColumns({
    user_id: events.user_id,
    product_id: events.product_id,
    status: sql`coalesce(${givenJson} ->> 'status', ${OPEN_STATUS})`,
    access_due_date: dueDateOf({
      product_id: events.product_id,
      given: sql`${givenJson} ->> 'access_due_date'`,
      isGiven: sql`${givenJson} ->> 'is_due_given'`,
    }),
  })
  return orm.insert(product_accesses).select(
    orm
      .select(columnsOf(product_accesses, columns))
      .from(events)
      .where(and(isBatchEventOfThisAttempt, eq(events.type, 'product_access.granted'))),
  )
})

const updateAccesses = statement(batchParams, () => {
  const newValues = accessAfter(givenJson)
  return orm
    .update(product_accesses)
    .set({ ...newValues, ...expiryColumnsAfter(newValues), event_id: events.id, changed_by: events.id })
    .from(events)
    .where(
      and(
        isBatchEventOfThisAttempt,
        eq(events.type, 'product_access.updated'),
        eq(product_accesses.id, events.subject_id),
      ),
    )
})

/** The writes that follow the events of accesses. */
export function accessSteps(values: BatchValues) {
  return { accesses: insertAccesses(values), accessUpdates: updateAccesses(values) }
}
