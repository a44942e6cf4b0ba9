import { sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { events, product_accesses, users } from '../../db/schema.ts'
import { type CallValues, callValues } from '../change/context.ts'
import { isEtagMismatch, type RecordAsked, type RecordValues, recordValues } from '../change/changes.ts'
import { deletionOf } from '../change/creations.ts'
import { ownEvent, settleAndWake } from '../change/event.ts'
import { refusal } from '../errors.ts'
import { noteLastUse } from '../change/last-use.ts'

/**
 * Erases the person and keeps the history: the user and the accesses are deleted outright, the events hold no personal
 * data, and the claims of the keys stay, so that a retry of the create finds nobody instead of making the user again.
 * Throws `not_found` and `etag_mismatch`.
 */
export async function eraseUser(db: Db, { call, number, ifMatch }: RecordAsked): Promise<void> {
  const values = { ...callValues(call), ...recordValues(number, ifMatch) }
  const { event, record, told } = erasureSteps(values)
  const answers = await batch(
    db,
    // The accesses first: they refer to the user.
    { event, accesses: deleteAccesses(values), record, told, lastUse: noteLastUse(call) },
    { retry: 'it finds its own event' },
  )
  const verdict = settleAndWake(db, answers.told)
  if (verdict !== null) throw refusal(verdict)
}

const erasureSteps = deletionOf<RecordValues>({
  table: users,
  type: 'user.erased',
  which: (p) => sql`${users.id} = ${idIn(p.store, p.number)}`,
  refusedWith: (p) => sql`(select 'etag_mismatch' from ${users}
    where ${users.id} = ${idIn(p.store, p.number)} and ${isEtagMismatch(p, users.event_id)})`,
})

const deleteAccesses = statement((p: Params<CallValues & RecordValues>, orm) =>
  orm
    .delete(product_accesses)
    .where(sql`${product_accesses.user_id} = (select e.subject_id from ${events} e where e.id = ${ownEvent(p)})`),
)
