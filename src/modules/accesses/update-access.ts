import type { Db } from '../../db/batch.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import type { RequestContext } from '../../change/request.ts'
import { optionalFields, type RecordRequest } from '../../change/record-fields.ts'
import { updateOf } from '../../change/update-record.ts'
import { type AccessStatus, accessColumns, joinsOfAccess, type ProductAccessRecord } from './access-record.ts'
import { expiryColumnsAfter } from './expiry.ts'

interface UpdateInput extends RecordRequest {
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch; null removes the limit, undefined keeps the date. */
  access_due_date?: number | null | undefined
}

/** Throws `not_found` and `etag_mismatch`. */
export function updateProductAccess(
  db: Db,
  context: RequestContext,
  { status, access_due_date, ...record }: UpdateInput,
): Promise<ProductAccessRecord> {
  return update(db, context, record, fields.valuesOf({ status, access_due_date }))
}

const fields = optionalFields(product_accesses, ['status', 'access_due_date'])

const update = updateOf(fields.params, () => ({
  table: product_accesses,
  type: 'product_access.updated',
  etag: product_accesses.changed_by,
  newValues: fields.newValues(),
  // `changed_by` is the ETag; an expiry moves only `event_id`. The end of a new due date is announced again.
  alsoSet: { ...expiryColumnsAfter(fields.newValues()), changed_by: events.id },
  event: { user_id: product_accesses.user_id, product_id: product_accesses.product_id },
  record: accessColumns(),
  recordJoins: joinsOfAccess(),
}))
