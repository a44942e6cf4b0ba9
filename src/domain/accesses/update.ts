import { sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { product_accesses } from '../../db/schema.ts'
import { callValues } from '../change/context.ts'
import { changeOf, fieldValues, type RecordAsked, recordValues, sendChange } from '../change/changes.ts'
import { eventId } from '../change/event.ts'
import { expiryMarksAfter } from './expiry.ts'
import { type AccessStatus, type ProductAccessRecord, selectProductAccess } from './product-accesses.ts'

const USER_AND_PRODUCT = { user_id: sql`${product_accesses.user_id}`, product_id: sql`${product_accesses.product_id}` }

const UPDATE_FIELDS = ['status', 'access_due_date'] as const

const updateSteps = changeOf({
  table: product_accesses,
  etag: product_accesses.changed_by,
  type: 'product_access.updated',
  fields: UPDATE_FIELDS,
  eventShows: 'changes',
  eventColumns: USER_AND_PRODUCT,
  alsoSets: (p, to) => ({ changed_by: eventId, ...expiryMarksAfter(p, to('status'), to('access_due_date')) }),
})

interface AccessUpdate extends RecordAsked {
  status?: AccessStatus | undefined
  /** Milliseconds since the epoch; null removes the limit, undefined keeps it. */
  access_due_date?: number | null | undefined
}

/** Throws `not_found` and `etag_mismatch`. */
export function updateProductAccess(db: Db, input: AccessUpdate): Promise<ProductAccessRecord> {
  const values = valuesOf(input)
  const fields = fieldValues(UPDATE_FIELDS, input)
  return sendChange(db, {
    call: input.call,
    steps: updateSteps({ ...values, ...fields }),
    found: selectProductAccess(values),
  })
}

const PROGRESS_FIELDS = [
  'started_at',
  'completed_at',
  'progress',
  'grade',
  'concept_grade',
  'passed',
  'certificate_url',
] as const

const progressSteps = changeOf({
  table: product_accesses,
  etag: product_accesses.changed_by,
  type: 'product_access.progressed',
  fields: PROGRESS_FIELDS,
  eventShows: 'fields',
  eventColumns: USER_AND_PRODUCT,
  alsoSets: () => ({ changed_by: eventId }),
})

/** What is undefined keeps its value. */
type Progress = { [Field in (typeof PROGRESS_FIELDS)[number]]?: string | number | null | undefined }

/** What the learning platform reports about the learner. Throws `not_found` and `etag_mismatch`. */
export function recordProgress(db: Db, input: RecordAsked & { progress: Progress }): Promise<ProductAccessRecord> {
  const values = valuesOf(input)
  const fields = fieldValues(PROGRESS_FIELDS, input.progress)
  return sendChange(db, {
    call: input.call,
    steps: progressSteps({ ...values, ...fields }),
    found: selectProductAccess(values),
  })
}

function valuesOf({ call, number, ifMatch }: RecordAsked) {
  return { ...callValues(call), ...recordValues(number, ifMatch) }
}
