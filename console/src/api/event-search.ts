/** The filters of the events as they stand in the address: ids and a type, nothing of a person. */
export interface EventSearch {
  type?: string
  user?: string
  access?: string
}

export function toEventSearch(search: Record<string, unknown>): EventSearch {
  const entries = ['type', 'user', 'access'].map((name) => [name, textOf(search[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** An id without quotes around it is a number to who reads the address. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
