import { type SQL, sql } from 'drizzle-orm'

/**
 * A constant in the text of a statement. D1 binds every number as a double, which turns a division of integers into
 * one with a fraction. For what the code itself writes down, never for what somebody sent: a quote is not escaped.
 */
export function literal(value: number | string): SQL {
  return sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)
}
