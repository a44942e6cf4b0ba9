/** A failed row as a browser keeps it: without passwords. */
import { isObject, parseLossless } from '../../src/lib/json.ts'
import type { CsvRow, JsonRow, Row } from './read.ts'

export type KeptRow =
  | Pick<CsvRow, 'line' | 'cells' | 'values' | 'problem'>
  /** The object as JSON, or a copy would lose the digits of its numbers. */
  | (Pick<JsonRow, 'line' | 'problem'> & { json: string })

/** `rename` maps the columns to fields. */
export function keepRow(row: Row, header: string[], rename: Record<string, string>): KeptRow {
  const isPassword = (name: string): boolean => (rename[name] ?? name) === 'password'
  const { line, problem } = row
  const about = problem === undefined ? { line } : { line, problem }
  if ('object' in row) {
    const fields = Object.entries(row.object).filter(([name]) => !isPassword(name))
    return { ...about, json: JSON.stringify(Object.fromEntries(new Map(fields))) }
  }
  // In a row that is too long or too short, nobody knows which value is the password.
  const hasPassword = problem?.code === 'width' && header.some(isPassword)
  const cells = row.cells.map((cell, i) => (hasPassword || isPassword(header[i] ?? '') ? '' : cell))
  return { ...about, cells, ...(row.values && { values: row.values }) }
}

export function rowOf(kept: KeptRow): Row {
  if ('cells' in kept) return kept
  const { json, ...rest } = kept
  const object = parseLossless(json)
  return { ...rest, object: isObject(object) ? object : {} }
}
