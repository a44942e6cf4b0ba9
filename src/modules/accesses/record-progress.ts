/** Records what the learning platform reports about the learner. */
import type { Db } from '../../db/batch.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events } from '../../db/schema/stores.ts'
import type { RequestContext } from '../../change/request.ts'
import { optionalFields, type RecordRequest } from '../../change/record-fields.ts'
import { updateOf } from '../../change/update-record.ts'
import { accessColumns, joinsOfAccess, type ProductAccessRecord } from './access-record.ts'

const fields = optionalFields(product_accesses, [
  'started_at',
  'completed_at',
  'progress',
  'grade',
  'concept_grade',
  'passed',
  'certificate_url',
])

const update = updateOf(fields.params, () => ({
  table: product_accesses,
  type: 'product_access.progressed',
  etag: product_accesses.changed_by,
  newValues: fields.newValues(),
  alsoSet: { changed_by: events.id },
  event: { user_id: product_accesses.user_id, product_id: product_accesses.product_id },
  record: accessColumns(),
  recordJoins: joinsOfAccess(),
}))

interface ProgressUpdate extends RecordRequest {
  /** A field that is undefined keeps its value. Times are milliseconds since the epoch; `grade` is JSON. */
  progress: Parameters<typeof fields.valuesOf>[0]
}

/** Throws `not_found` and `etag_mismatch`. */
export function recordProgress(
  db: Db,
  context: RequestContext,
  { progress, ...record }: ProgressUpdate,
): Promise<ProductAccessRecord> {
  return update(db, context, record, fields.valuesOf(progress))
}
