/** An object of a response. Nothing is known about its values, because the contract is what the simulation checks. */
export type Row = Record<string, unknown>

export function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function toRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(toRow) : []
}

/** A number that may be written otherwise than JavaScript writes it: `1.0`, `1e2`, or with many digits. */
const UNUSUAL_NUMBER = /[:,[]-?(?:\d+\.\d*0|\d+(?:\.\d+)?[eE][-+]?\d+|[\d.]{17,})(?=[,\]}])/

/** Parses JSON. Such a number keeps its digits, which JSON.stringify writes again: they are what was sent. */
export function parseJson(text: string): unknown {
  if (!UNUSUAL_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== String(value) ? JSON.rawJSON(source) : value,
  )
}

/** The `data` of an event: the ids of its records, and the changed fields. */
export function dataOf(event: Row): Row {
  return toRow(event['data'])
}
