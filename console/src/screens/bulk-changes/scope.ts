import type { NewBulkChange } from '../../api/bulk-changes.ts'
import type { Schemas } from '../../api/client.ts'
import { type AccessFilter, toBulkFilter } from '../accesses/filter.ts'

/** The accesses that a bulk change is about: all matches of the filter, or those that were chosen one by one. */
export interface BulkScope {
  filter: AccessFilter
  chosen?: Schemas['ProductAccess'][]
}

/** The API's limit for `user_ids`. */
export const MAX_CHOSEN = 1000

/** A filter names chosen accesses by their users, so they must all be of one product. */
export function productOf(chosen: Schemas['ProductAccess'][]): string | undefined {
  const [first] = chosen
  return chosen.every(({ product }) => product.id === first?.product.id) ? first?.product.id : undefined
}

export function bulkFilterOf({ filter, chosen }: BulkScope): NewBulkChange['filter'] {
  if (!chosen) return toBulkFilter(filter)
  const product_id = productOf(chosen)
  return { ...(product_id !== undefined && { product_id }), user_ids: chosen.map(({ user }) => user.id) }
}
