import * as z from 'zod'
import { formatDateTime } from '../date-time.ts'
import type { User } from '../db/schema.ts'

const example = {
  id: '1',
  name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  created_at: '2026-11-21T09:30:00.000Z',
  country: 'GB',
  phone: '+44 20 7946 0000',
  external_id: 'crm-1815',
  language: 'EN',
  avatar: 'https://example.com/ada.png',
  custom_fields: { field1: 'engines' },
  role: 'student',
  updated_at: '2026-11-21T09:30:00.000Z',
}

const customFieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** A user as v1 and the operator API show it. */
export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    last_name: z.string(),
    email: z.string(),
    created_at: z.iso.datetime(),
    country: z.string().optional(),
    phone: z.string().optional(),
    external_id: z.string().optional(),
    language: z.string(),
    avatar: z.string().optional(),
    custom_fields: z.record(z.string(), customFieldValue).optional(),
    role: z.string(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'User', example })

/** A field without a value is left out. */
export function toUser(row: User): z.input<typeof user> {
  return {
    id: String(row.id),
    name: row.name,
    last_name: row.last_name,
    email: row.email,
    created_at: formatDateTime(row.created_at),
    country: row.country ?? undefined,
    phone: row.phone ?? undefined,
    external_id: row.external_id ?? undefined,
    language: row.language,
    avatar: row.avatar ?? undefined,
    custom_fields: row.custom_fields === null ? undefined : parseCustomFields(row.custom_fields),
    role: row.role,
    updated_at: formatDateTime(row.updated_at),
  }
}

function parseCustomFields(json: string): z.input<typeof user>['custom_fields'] {
  return JSON.parse(json)
}
