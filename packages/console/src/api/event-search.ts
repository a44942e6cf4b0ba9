import { type OrderSearch, readOrder, type Search, textIn } from '../address.ts'

/** The filters and the order of the events as they appear in the URL. */
export interface EventSearch extends OrderSearch {
  type?: string
  user?: string
  access?: string
  /** As the API names it, such as `operator:4`. */
  actor?: string
  /** The first and the last day, in the time zone of the store. */
  from?: string
  to?: string
}

const ACTOR = /^(?:system|root|(?:operator|access_token):\d{1,10})$/

/** Somebody may have typed the URL, so ids that the API would reject are ignored. */
export function toEventSearch(search: Search): EventSearch {
  const [type, user, access] = [textIn(search['type']), idIn(search['user']), idIn(search['access'])]
  const [from, to] = [dayIn(search['from']), dayIn(search['to'])]
  const actor = textIn(search['actor'])
  return {
    ...(type !== undefined && { type }),
    ...(user !== undefined && { user }),
    ...(access !== undefined && { access }),
    ...(actor !== undefined && ACTOR.test(actor) && { actor }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...readOrder(search),
  }
}

function idIn(value: unknown): string | undefined {
  const text = textIn(value)
  return text !== undefined && /^\d{1,10}$/.test(text) ? text : undefined
}

export function dayIn(value: unknown): string | undefined {
  const text = textIn(value)
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text)) ? text : undefined
}
