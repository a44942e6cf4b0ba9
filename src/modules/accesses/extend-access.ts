/**
 * Extends an access, which is what a paid renewal does: from its due date, or from now if that has passed. The new date is
 * computed once, in the event, which the write applies.
 */
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import { params } from '../../db/statement.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import { contextParams, type RequestContext, storeRow } from '../../change/request.ts'
import { type RecordRequest } from '../../change/record-fields.ts'
import { keyedUpdateOf } from '../../change/update-record.ts'
import { clockOf, extendedDate } from '../time-zones/extended-date.ts'
import { accessColumns, joinsOfAccess, type ProductAccessRecord } from './access-record.ts'
import { expiryColumnsAfter } from './expiry.ts'

interface Extension extends RecordRequest {
  key: IdempotencyKey | undefined
  /** One of them is given. */
  days: number | undefined
  months: number | undefined
}

/** Throws `idempotency_key_reused`, `not_found` and `etag_mismatch`. */
export function extendProductAccess(
  db: Db,
  context: RequestContext,
  { key, days, months, ...record }: Extension,
): Promise<Created<ProductAccessRecord>> {
  return extend(db, context, record, { days: days ?? null, months: months ?? null }, { key })
}

const spanParams = params('days', 'months')

const extend = keyedUpdateOf(spanParams, () => {
  const { access_due_date, status, changed_by: etag, user_id, product_id } = product_accesses
  const from = sql`max(${access_due_date}, ${contextParams.now})`
  const extended = sql`(with ${clockOf(storeRow.time_zone)} select ${extendedDate({ from, ...spanParams })})`
  const due = sql`(${events.data} ->> '$.changes.access_due_date.to')`
  return {
    table: product_accesses,
    type: 'product_access.updated',
    etag,
    // An access without a date stays as it is, and so does one that would leave the year 9999.
    differences: [
      { field: 'access_due_date', from: access_due_date, to: sql`coalesce(${extended}, ${access_due_date})` },
    ],
    newValues: { access_due_date: due },
    alsoSet: { ...expiryColumnsAfter({ status: sql`${status}`, access_due_date: due }), changed_by: events.id },
    event: { user_id, product_id },
    record: accessColumns(),
    recordJoins: joinsOfAccess(),
  }
})
