/**
 * The filters of the events as they appear in the URL. They are ids and a type, because a URL with personal data would
 * stay in the browser's history.
 */
export interface EventSearch {
  type?: string
  user?: string
  access?: string
}

export function toEventSearch(search: Record<string, unknown>): EventSearch {
  const entries = ['type', 'user', 'access'].map((name) => [name, textOf(search[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** The router parses a value without quotes as JSON, so an id that somebody types into the URL arrives as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
