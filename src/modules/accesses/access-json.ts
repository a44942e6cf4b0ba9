import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { ProductAccessRecord } from './access-record.ts'
import { parseLossless } from '../../lib/json.ts'
import { toEtag } from '../../formats/etags.ts'

export function toProductAccess(row: ProductAccessRecord) {
  return {
    id: String(numberOf(row.id)),
    created_at: formatDateTime(row.created_at),
    started_at: formatNullableDateTime(row.started_at),
    completed_at: formatNullableDateTime(row.completed_at),
    access_due_date: formatNullableDateTime(row.access_due_date),
    expiration_days: row.expiration_days ?? undefined,
    status: row.status,
    grade: row.grade === null ? null : parseLossless(row.grade),
    concept_grade: row.concept_grade,
    passed: row.passed === 1,
    progress: row.progress,
    certificate_url: row.certificate_url,
    product: {
      id: String(numberOf(row.product_id)),
      slug: row.product_slug,
      type: row.product_type,
      name: row.product_name,
    },
    user: {
      id: String(numberOf(row.user_id)),
      name: row.user_name,
      last_name: row.user_last_name,
      external_id: row.user_external_id,
      email: row.user_email,
    },
  }
}

export function accessEtag(row: ProductAccessRecord): string {
  return toEtag(row.id, row.changed_by)
}
