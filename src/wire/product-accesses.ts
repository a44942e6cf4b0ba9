import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import type { ProductAccessRecord } from '../domain/product-accesses.ts'
import { parseExactly } from '../json.ts'
import { announce } from './announce.ts'
import { toEtag } from './etag.ts'

/** Answers the access with its ETag; where this request has changed it, its event is announced. */
export function answerProductAccess(
  c: Context<AppEnv>,
  { row, isChange = false, status = 200 }: { row: ProductAccessRecord; isChange?: boolean; status?: 200 | 201 },
): Response {
  if (isChange) announce(c)
  return c.json(toProductAccess(row), status, { ETag: toEtag(row) })
}

/** A product access as v1 and the operator API show it. */
export function toProductAccess(row: ProductAccessRecord) {
  return {
    id: String(row.id),
    created_at: formatDateTime(row.created_at),
    started_at: formatNullableDateTime(row.started_at),
    completed_at: formatNullableDateTime(row.completed_at),
    access_due_date: formatNullableDateTime(row.access_due_date),
    expiration_days: row.expiration_days ?? undefined,
    status: row.status,
    grade: row.grade === null ? null : parseExactly(row.grade),
    concept_grade: row.concept_grade,
    passed: row.passed === 1,
    progress: row.progress,
    certificate_url: row.certificate_url,
    product: {
      id: String(row.product_id),
      slug: row.product_slug,
      type: row.product_type,
      name: row.product_name,
    },
    user: {
      id: String(row.user_id),
      name: row.user_name,
      last_name: row.user_last_name,
      external_id: row.user_external_id,
      email: row.user_email,
    },
  }
}
