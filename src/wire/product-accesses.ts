import * as z from 'zod'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import type { ProductAccessRecord } from '../domain/product-accesses.ts'

const example = {
  id: '1',
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: null,
  completed_at: null,
  access_due_date: '2027-12-31T00:00:00.000Z',
  expiration_days: 365,
  status: 'with_access',
  grade: null,
  concept_grade: null,
  passed: false,
  progress: 0,
  certificate_url: null,
  product: { id: '1', slug: 'analytical-engines', type: 'course', name: 'Analytical engines' },
  user: { id: '1', name: 'Ada', last_name: 'Lovelace', external_id: 'crm-1815', email: 'ada@example.com' },
}

const grade = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** A product access as v1 and the operator API show it. */
export const productAccess = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
    access_due_date: z.iso.datetime().nullable(),
    expiration_days: z.int().optional(),
    status: z.string(),
    grade,
    concept_grade: z.string().nullable(),
    passed: z.boolean(),
    progress: z.int(),
    certificate_url: z.string().nullable(),
    product: z.object({ id: z.string(), slug: z.string(), type: z.string(), name: z.string() }),
    user: z.object({
      id: z.string(),
      name: z.string(),
      last_name: z.string(),
      external_id: z.string().nullable(),
      email: z.string(),
    }),
  })
  .meta({ id: 'ProductAccess', example })

export function toProductAccess(row: ProductAccessRecord): z.input<typeof productAccess> {
  return {
    id: String(row.id),
    created_at: formatDateTime(row.created_at),
    started_at: formatNullableDateTime(row.started_at),
    completed_at: formatNullableDateTime(row.completed_at),
    access_due_date: formatNullableDateTime(row.access_due_date),
    expiration_days: row.expiration_days ?? undefined,
    status: row.status,
    grade: row.grade === null ? null : parseGrade(row.grade),
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

function parseGrade(json: string): z.input<typeof grade> {
  return JSON.parse(json)
}
