/** What a new access looks like, whether it is granted alone or in a batch. */
import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { storeIn } from '../../db/ids.ts'
import { type product_accesses, products } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { type ColumnValues, orm } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { contextParams } from '../../change/request.ts'
import { notifiedAtFor } from './expiry.ts'

interface NewAccess {
  user_id: SQLWrapper
  product_id: SQLWrapper
  status: SQLWrapper
  access_due_date: SQLWrapper
}

/** The columns of an access that is inserted by a select from `events`: from the event that grants it. */
export function newAccessColumns({ user_id, product_id, status, access_due_date }: NewAccess) {
  return {
    id: events.id,
    store: storeIn(events.id),
    user_id,
    product_id,
    status,
    access_due_date,
    started_at: null,
    completed_at: null,
    progress: 0,
    passed: 0,
    grade: null,
    concept_grade: null,
    certificate_url: null,
    created_at: contextParams.now,
    notified_at: notifiedAtFor(access_due_date),
    expired_at: null,
    event_id: events.id,
    changed_by: events.id,
  } satisfies ColumnValues<typeof product_accesses>
}

interface DueDate {
  /** The id of the product, with its store. */
  product_id: SQLWrapper
  given: SQLWrapper
  isGiven: SQLWrapper
}

/** The due date of a new access: the given one, or as many days from now as the product lasts; null for no end. */
export function dueDateOf({ product_id, given, isGiven }: DueDate): SQL<number | null> {
  // An alias, because a statement around this one may read `products` too.
  const granted = alias(products, 'granted')
  const days = orm.select({ expiration_days: granted.expiration_days }).from(granted).where(eq(granted.id, product_id))
  return sql<number | null>`iif(${isGiven}, ${given}, ${contextParams.now} + ${days} * ${DAY_MS})`
}
