import { formatDateTime } from '../../lib/date-time.ts'
import type { CustomField } from '../../db/schema/stores.ts'

export function toCustomField({ key, label, created_at }: CustomField) {
  return { key, label, created_at: formatDateTime(created_at) }
}
