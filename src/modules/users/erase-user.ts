/**
 * Erases a person and keeps the history: the user and the accesses are deleted, and events hold no personal data. Claims
 * of idempotency keys stay, so that a retried create returns `not_found` instead of creating the user again.
 */
import { and, eq, isNotNull, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { isOfStore, storeIn } from '../../db/ids.ts'
import { bulk_changes, product_accesses } from '../../db/schema/accesses.ts'
import { events, users } from '../../db/schema/stores.ts'
import { orm, statement } from '../../db/statement.ts'
import { isEventOfThisAttempt } from '../../change/event.ts'
import type { RequestContext } from '../../change/request.ts'
import { hasFieldValue } from '../custom-fields/field-filter.ts'
import { recordParams, type RecordRequest, recordValues } from '../../change/record-fields.ts'
import { deleteOf, deletionOf } from '../../change/update-record.ts'

const deleteAccesses = statement({}, () => deleteOf(product_accesses, product_accesses.user_id))

const ERASED = '[erased]'

/**
 * The value of a custom field by which a bulk change was filtered may name this person. It is theirs alone if the filter
 * has matched no more accesses than they have; one that others have, such as a class, stays in the history. While a bulk
 * change has not ended, nobody knows how many it will match, so the users are examined: without the value it matches nobody.
 */
const forgetFilters = statement({}, () => {
  const {
    filter_custom_field_key: key,
    filter_custom_field_value: value,
    matched,
    finished_at,
    position,
  } = bulk_changes
  const count = orm
    .select({ count: sql`count(*)` })
    .from(product_accesses)
    .where(eq(product_accesses.user_id, users.id))
  const other = alias(users, 'other')
  const others = orm
    .select({ id: other.id })
    .from(other)
    .where(
      and(
        isOfStore(other.id, storeIn(events.subject_id)),
        ne(other.id, events.subject_id),
        hasFieldValue(other.custom_fields, { key, value }),
      ),
    )
  return orm
    .update(bulk_changes)
    .set({ filter_custom_field_value: ERASED })
    .from(events)
    .innerJoin(users, eq(users.id, events.subject_id))
    .where(
      and(
        isEventOfThisAttempt,
        // Without any, no bulk change need be read.
        isNotNull(users.custom_fields),
        isOfStore(position, storeIn(events.subject_id)),
        isNotNull(key),
        hasFieldValue(users.custom_fields, { key, value }),
        or(and(isNotNull(finished_at), lte(matched, sql`${count}`)), and(isNull(finished_at), notExists(others))),
      ),
    )
})

const deleteUser = deletionOf(
  recordParams,
  () => ({ table: users, type: 'user.erased', etag: users.event_id, record: {} }),
  // Accesses before the user, because they refer to the user; the filters before both, because they are compared with them.
  { filters: forgetFilters({}), accesses: deleteAccesses({}) },
)

/** Throws `not_found` and `etag_mismatch`. */
export async function eraseUser(db: Db, context: RequestContext, record: RecordRequest): Promise<void> {
  await deleteUser(db, context, recordValues(record))
}
