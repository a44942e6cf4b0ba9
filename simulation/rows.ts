/** JSON as it comes, read with care. */
export type Row = Record<string, unknown>

export function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function toRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(toRow) : []
}

/** What an event is about. */
export function dataOf(event: Row): Row {
  return toRow(event['data'])
}
