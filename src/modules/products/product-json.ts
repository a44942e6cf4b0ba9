import { formatDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { Product } from '../../db/schema/accesses.ts'

export function toProduct({ id, name, slug, type, expiration_days, created_at }: Product) {
  return { id: String(numberOf(id)), name, slug, type, expiration_days, created_at: formatDateTime(created_at) }
}
