import { type OrderSearch, readOrder, type Search, textIn } from '../address.ts'

/** The filters and the order of the events as they appear in the URL. */
export interface EventSearch extends OrderSearch {
  type?: string
  user?: string
  access?: string
}

/** Somebody may have typed the URL, so ids that the API would reject are ignored. */
export function toEventSearch(search: Search): EventSearch {
  const [type, user, access] = [textIn(search['type']), idIn(search['user']), idIn(search['access'])]
  return {
    ...(type !== undefined && { type }),
    ...(user !== undefined && { user }),
    ...(access !== undefined && { access }),
    ...readOrder(search),
  }
}

function idIn(value: unknown): string | undefined {
  const text = textIn(value)
  return text !== undefined && /^\d{1,10}$/.test(text) ? text : undefined
}
