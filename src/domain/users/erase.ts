/**
 * Erases a person and keeps the history: the user and the accesses are deleted, and events hold no personal data. Claims
 * of idempotency keys stay, so that a retried create returns `not_found` instead of creating the user again.
 */
import type { Db } from '../../db/batch.ts'
import { product_accesses, users } from '../../db/schema.ts'
import { statement } from '../../db/statement.ts'
import { commit, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import { deleteSubject } from '../change/event.ts'
import { recordParams, type RecordRequest, recordValues } from '../change/record.ts'
import { changeOf } from '../change/update.ts'

const erasure = changeOf(recordParams, () => ({ table: users, type: 'user.erased', etag: users.event_id }))

const deleteAccesses = deleteSubject(product_accesses, product_accesses.user_id)

const deleteUser = deleteSubject(users)

const selectResult = statement(recordParams, () => erasure.selectRequest(resultOf(erasure.rules())))

/** Throws the errors of the authorization, `not_found` and `etag_mismatch`. */
export async function eraseUser(db: Db, context: RequestContext, record: RecordRequest): Promise<void> {
  const values = recordValues(record)
  await commit(db, context, {
    event: erasure.insertEvent(values),
    // Accesses before the user, because they refer to the user.
    accesses: deleteAccesses({}),
    user: deleteUser({}),
    result: selectResult(values),
  })
}
