import { isDue } from './due-dates.ts'
import { type Head, valuesIn } from './head.ts'
import { NO_FIELD } from './headings.ts'

/**
 * Returns the columns of days that are ignored in a file of accesses that names no due date: each access would last as its
 * product says, and nobody would notice.
 */
export function ignoredDays(head: Head, rename: Record<string, string>): string[] {
  const fieldOf = (column: string) => rename[column] ?? column
  const fields = new Set(head.columns.map(fieldOf))
  if (head.format !== 'csv' || !fields.has('product') || fields.has('product_due_date')) return []
  const valuesOf = valuesIn(head)
  return head.columns.filter((column) => {
    const values = fieldOf(column) === NO_FIELD ? valuesOf(column) : []
    return values.filter(isDue).length * 2 > values.length
  })
}
