/**
 * The events of a store, the newest first. The API gives them oldest first from a cursor on; their ids have no gaps, and
 * each answer names the newest, so a page of the past is a range of ids.
 */
import { api, type Schemas } from './client.ts'
import { failureOf } from './failure.ts'

export interface EventFilter {
  type?: Schemas['Event']['type']
  user_id?: string
  product_access_id?: string
}

/** What one request answers: at most this many. */
const LIMIT = 100
/** How many events one request may look through. */
const MAX_RANGE = 5000
/** A page of the past is full with this many. */
const PAGE = 50
/** Of a rare kind: how many requests to look back with before asking whether to go on; the first page is to be quick. */
export const REQUESTS = { first: 4, further: 20 } as const

/** As the client answers them, which leaves out what is always null. */
export type FeedEvent = NonNullable<Awaited<ReturnType<typeof getEvents>>['data']>['data'][number]

interface Answer {
  data: FeedEvent[]
  next: string | null
  cursor: string | null
  /** The id of the newest event of the whole feed; 0 where nothing has happened yet. */
  newest: number
}

function getEvents(store_id: string, query: EventFilter & { limit: number; after?: string }) {
  return api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id }, query } })
}

/** The filter is kept out where it is empty, so that a range of ids is read as it is. */
export async function readEvents(
  store: string,
  filter: EventFilter,
  { after, limit = LIMIT }: { after?: number; limit?: number },
): Promise<Answer> {
  const query = { ...filter, limit, ...(after !== undefined && after > 0 && { after: String(after) }) }
  const { data, response } = await getEvents(store, query)
  if (data === undefined) throw failureOf(response, undefined)
  return { ...data, newest: Number(response.headers.get('X-Newest-Id') ?? 0) }
}

/** Ids of the events that are kept; `newest` is 0 where nothing has happened yet. */
export interface Ends {
  oldest: number
  newest: number
}

export async function findEnds(store: string): Promise<Ends> {
  const { data, newest } = await readEvents(store, {}, { limit: 1 })
  return { oldest: Number(data[0]?.id ?? 1), newest }
}

export interface PastPage {
  /** The newest first. */
  events: FeedEvent[]
  /** All from here on up to where the page begins has been looked through. */
  from: number
  isEnd: boolean
}

/** The events with ids up to `to` that fit, back to the oldest or until there are enough. */
export async function readBack(
  store: string,
  filter: EventFilter,
  { oldest, to, maxRequests }: { oldest: number; to: number; maxRequests: number },
): Promise<PastPage> {
  const events: FeedEvent[] = []
  const isFiltered = Object.keys(filter).length > 0
  let range = isFiltered ? LIMIT : PAGE
  let top = to
  for (let requests = 0; top >= oldest && events.length < PAGE && requests < maxRequests; requests++) {
    const low = Math.max(oldest, top - range + 1)
    const page = await readEvents(store, filter, { after: low - 1 })
    const isCutShort = page.next !== null && Number(page.cursor) < top
    if (isCutShort && range > LIMIT) {
      // More of them than fit in an answer: a shorter range is looked through, so that none is left out.
      range = LIMIT
      continue
    }
    const found = page.data.filter(({ id }) => Number(id) <= top)
    events.push(...found.toReversed())
    // An answer looks through so many ids from the first event that it finds: that one lies beyond a gap.
    const isAfterGap = found.length === 0 && Number(page.cursor) - (low - 1) > MAX_RANGE
    top = isAfterGap ? await lastBefore(store, oldest, low) : low - 1
    range = Math.min(MAX_RANGE, Math.max(range, Math.floor((range * PAGE) / Math.max(found.length, 1))))
  }
  return { events, from: top + 1, isEnd: top < oldest }
}

/** A restore of the database leaves a gap of millions of ids: the event before it is found by bisection. */
async function lastBefore(store: string, oldest: number, id: number): Promise<number> {
  // There is none between `beyond` and the id.
  let [last, beyond] = [oldest - 1, id - 1]
  while (beyond > last) {
    const middle = Math.floor((last + beyond) / 2)
    const { data } = await readEvents(store, {}, { after: middle, limit: 1 })
    const next = Number(data[0]?.id ?? Infinity)
    if (next >= id) beyond = middle
    else last = next
  }
  return last
}
