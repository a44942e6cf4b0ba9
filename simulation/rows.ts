/** An object of a response. Nothing is known about its values, because the contract is what the simulation checks. */
export type Row = Record<string, unknown>

export function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function toRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(toRow) : []
}

/** The `data` of an event: the ids of its records, and the changed fields. */
export function dataOf(event: Row): Row {
  return toRow(event['data'])
}
