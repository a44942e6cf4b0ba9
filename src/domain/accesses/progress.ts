/** Records what the learning platform reports about the learner. */
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { events, product_accesses, products, users } from '../../db/schema.ts'
import { statement } from '../../db/statement.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import type { RequestContext } from '../change/context.ts'
import { optionalFields } from '../change/fields.ts'
import { changedFieldsJson, differencesOf, recordParams, type RecordRequest, recordValues } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import { accessColumns, type ProductAccessRecord } from './product-accesses.ts'

const fields = optionalFields(product_accesses, [
  'started_at',
  'completed_at',
  'progress',
  'grade',
  'concept_grade',
  'passed',
  'certificate_url',
])

const parameters = { ...recordParams, ...fields.params }

const update = updateOf(parameters, () => ({
  table: product_accesses,
  type: 'product_access.progressed',
  etag: product_accesses.changed_by,
  after: fields.after(),
  alsoSet: { changed_by: events.id },
  event: {
    user_id: product_accesses.user_id,
    product_id: product_accesses.product_id,
    data: changedFieldsJson(differencesOf(product_accesses, fields.after())),
  },
}))

const selectResult = statement(parameters, () =>
  update
    .selectRequest({ ...resultOf(update.rules()), ...accessColumns() })
    .leftJoin(products, eq(products.id, product_accesses.product_id))
    .leftJoin(users, eq(users.id, product_accesses.user_id)),
)

interface ProgressUpdate extends RecordRequest {
  /** A field that is undefined keeps its value. Times are milliseconds since the epoch; `grade` is JSON. */
  progress: Parameters<typeof fields.valuesOf>[0]
}

/** Throws the errors of the authorization, `not_found` and `etag_mismatch`. */
export async function recordProgress(
  db: Db,
  context: RequestContext,
  { progress, ...record }: ProgressUpdate,
): Promise<ProductAccessRecord> {
  const values = { ...recordValues(record), ...fields.valuesOf(progress) }
  const result = await commit(db, context, {
    event: update.insertEvent(values),
    access: update.updateRecord(values),
    result: selectResult(values),
  })
  return requireRecord<ProductAccessRecord>(result)
}
