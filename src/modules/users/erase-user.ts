/**
 * Erases a person and keeps the history: the user and the accesses are deleted, and events hold no personal data. Claims
 * of idempotency keys stay, so that a retried create returns `not_found` instead of creating the user again.
 */
import type { Db } from '../../db/batch.ts'
import { product_accesses, users } from '../../db/schema.ts'
import { statement } from '../../db/statement.ts'
import type { RequestContext } from '../../change/request.ts'
import { deleteOf, deletionOf, recordParams, type RecordRequest, recordValues } from '../../change/update-record.ts'

const deleteAccesses = statement({}, () => deleteOf(product_accesses, product_accesses.user_id))

const deleteUser = deletionOf(
  recordParams,
  () => ({ table: users, type: 'user.erased', etag: users.event_id, record: {} }),
  // Accesses before the user, because they refer to the user.
  { accesses: deleteAccesses({}) },
)

/** Throws the errors of the authorization, `not_found` and `etag_mismatch`. */
export async function eraseUser(db: Db, context: RequestContext, record: RecordRequest): Promise<void> {
  await deleteUser(db, context, recordValues(record))
}
