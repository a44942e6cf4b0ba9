import { formatDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { User } from '../../db/schema/stores.ts'
import { parseLossless } from '../../lib/json.ts'
import { ofEach } from '../../lib/names.ts'
import type { UserColumn } from './csv-columns.ts'
import { toEtag } from '../../formats/etags.ts'
import { REQUIRED_FIELDS, SHOWN_FIELDS } from './user-fields.ts'

/** A field without a value is omitted. */
export function toUser(row: User) {
  return {
    id: String(numberOf(row.id)),
    ...ofEach(REQUIRED_FIELDS, (field) => row[field]),
    created_at: formatDateTime(row.created_at),
    ...ofEach(SHOWN_FIELDS, (field) => row[field] ?? undefined),
    // It keeps the place that it has in the list. Each user has one, which the list does not know.
    language: row.language,
    custom_fields: row.custom_fields === null ? undefined : parseLossless(row.custom_fields),
    role: row.role,
    updated_at: formatDateTime(row.updated_at),
  } satisfies Record<UserColumn | 'custom_fields', unknown>
}

/** The user is undefined if there is none, or if the password is wrong. */
export function toVerification(user: User | undefined) {
  return user ? { verified: true as const, user: toUser(user) } : { verified: false as const }
}

export function userEtag(row: User): string {
  return toEtag(row.id, row.event_id)
}
