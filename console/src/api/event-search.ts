import { type Search, textIn } from '../address.ts'

/** The filters of the events as they appear in the URL. */
export interface EventSearch {
  type?: string
  user?: string
  access?: string
}

export function toEventSearch(search: Search): EventSearch {
  const entries = ['type', 'user', 'access'].map((name) => [name, textIn(search[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
