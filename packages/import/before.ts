/** Writes users as they were before an update, in the columns of its file, so that this can be imported, too. */
import { isObject } from '../../src/lib/json.ts'
import { type Change, valueText } from './changes.ts'
import { CUSTOM_FIELD, TEXTS } from './fields.ts'
import type { WrittenCell } from './write-workbook.ts'

export interface BeforeTable {
  header: string[]
  /** A row for each user who exists and had none yet: with two rows for one, an import would set the later values. */
  rowsOf: (changes: Change[]) => { line: number; cells: WrittenCell[] }[]
}

export function beforeTable(header: string[], rename: Record<string, string>): BeforeTable {
  const columns = header.flatMap((name) => {
    const field = rename[name] ?? name
    const isKept = (TEXTS.has(field) && field !== 'password') || field.startsWith(CUSTOM_FIELD)
    return isKept ? [{ name, field }] : []
  })
  const written = new Set<string>()
  return {
    header: columns.map(({ name }) => name),
    rowsOf: (changes) =>
      changes.flatMap(({ id, line, before }) => {
        if (id === '' || written.has(id)) return []
        written.add(id)
        return [{ line, cells: columns.map(({ field }) => cellOf(valueOf(before, field))) }]
      }),
  }
}

function cellOf(value: unknown): WrittenCell {
  return { text: valueText(value), isValue: typeof value === 'number' || typeof value === 'boolean' }
}

function valueOf(user: Record<string, unknown>, field: string): unknown {
  if (!field.startsWith(CUSTOM_FIELD)) return user[field]
  const custom = user['custom_fields']
  return isObject(custom) ? custom[field.slice(CUSTOM_FIELD.length)] : undefined
}
