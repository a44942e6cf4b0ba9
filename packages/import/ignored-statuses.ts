import { type Head, valuesIn } from './head.ts'
import { NO_FIELD } from './headings.ts'
import { normalizeName } from './normalize-name.ts'

/** Part of the headings of a status, also of a payment or an order, in three languages. */
const STATUS = /status|estado|situac/
/** More different values would be another thing, such as the states of a country. */
const MOST = 8

export interface IgnoredStatus {
  column: string
  values: string[]
}

/**
 * Returns the columns of a status that are ignored in a file that grants accesses, with their values: whoever has been
 * refunded would get access like everybody else, and nobody would notice.
 */
export function ignoredStatuses(head: Head, rename: Record<string, string>): IgnoredStatus[] {
  const fieldOf = (column: string) => rename[column] ?? column
  const fields = new Set(head.columns.map(fieldOf))
  if (head.format !== 'csv' || !fields.has('product') || fields.has('product_status')) return []
  const valuesOf = valuesIn(head)
  return head.columns.flatMap((column) => {
    if (fieldOf(column) !== NO_FIELD || !STATUS.test(normalizeName(column))) return []
    const values = [...new Set(valuesOf(column))]
    return values.length > 0 && values.length <= MOST ? [{ column, values }] : []
  })
}
