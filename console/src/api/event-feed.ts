/**
 * Reads the events of a store newest first. The API returns them oldest first, after a cursor. Ids have no gaps, except
 * after a restore of the database, and each response names the newest id, so a page of the past is a range of ids.
 */
import { api, type Schemas } from './client.ts'
import { failureOf } from './failure.ts'

export interface EventFilter {
  type?: Schemas['Event']['type']
  user_id?: string
  product_access_id?: string
}

/** The API returns at most this many events per request. */
const LIMIT = 100
/** The API searches at most this many events per request. */
const MAX_SEARCHED = 5000
/** A page of older events is complete once it has this many. */
const PAGE_SIZE = 50
/**
 * How many requests a page may take if matching events are rare. The first page has fewer, so that it appears quickly;
 * after that, the operator asks for more.
 */
export const MAX_REQUESTS = { first: 4, further: 20 } as const

/** The client's type and not the schema's: the client omits properties that are always null. */
export type FeedEvent = NonNullable<Awaited<ReturnType<typeof getEvents>>['data']>['data'][number]

interface EventsPage {
  data: FeedEvent[]
  next: string | null
  cursor: string | null
  /** The id of the newest event of the whole feed; 0 if there are no events. */
  newest: number
}

function getEvents(store_id: string, query: EventFilter & { limit: number; after?: string }) {
  return api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id }, query } })
}

/** Reads events that match the filter, oldest first, beginning after the id `after`. */
export async function readEvents(
  store: string,
  filter: EventFilter,
  { after, limit = LIMIT }: { after?: number; limit?: number },
): Promise<EventsPage> {
  const query = { ...filter, limit, ...(after !== undefined && after > 0 && { after: String(after) }) }
  const { data, response } = await getEvents(store, query)
  if (data === undefined) throw failureOf(response, undefined)
  return { ...data, cursor: data.cursor ?? null, newest: Number(response.headers.get('X-Newest-Id') ?? 0) }
}

/** The ids of the oldest and the newest event that are kept; `newest` is 0 if there are no events. */
export interface EventRange {
  oldest: number
  newest: number
}

export async function findRange(store: string): Promise<EventRange> {
  const { data, newest } = await readEvents(store, {}, { limit: 1 })
  return { oldest: Number(data[0]?.id ?? 1), newest }
}

export interface PastPage {
  /** Sorted newest first. */
  events: FeedEvent[]
  /** All events from this id up to the beginning of the page have been searched. */
  from: number
  isEnd: boolean
}

/**
 * Returns the matching events with ids up to `to`, until the page is full, the oldest event is reached or `maxRequests`
 * are used up.
 */
export async function readPastPage(
  store: string,
  filter: EventFilter,
  { oldest, to, maxRequests }: { oldest: number; to: number; maxRequests: number },
): Promise<PastPage> {
  const events: FeedEvent[] = []
  const isFiltered = Object.keys(filter).length > 0
  let range = isFiltered ? LIMIT : PAGE_SIZE
  let end = to
  for (let requests = 0; end >= oldest && events.length < PAGE_SIZE && requests < maxRequests; requests++) {
    const start = Math.max(oldest, end - range + 1)
    const page = await readEvents(store, filter, { after: start - 1 })
    const isCutShort = page.next !== null && Number(page.cursor) < end
    if (isCutShort && range > LIMIT) {
      // The range has more matches than fit into a response. Without a shorter range, the newest of them would be
      // skipped.
      range = LIMIT
      continue
    }
    const found = page.data.filter(({ id }) => Number(id) <= end)
    events.push(...found.toReversed())
    // The API starts to search at the first event after the cursor. If it got further than one search can get, that
    // event lies after a gap.
    const isAfterGap = found.length === 0 && Number(page.cursor) - (start - 1) > MAX_SEARCHED
    end = isAfterGap ? await findLastBefore(store, oldest, start) : start - 1
    range = Math.min(MAX_SEARCHED, Math.max(range, Math.floor((range * PAGE_SIZE) / Math.max(found.length, 1))))
  }
  return { events, from: end + 1, isEnd: end < oldest }
}

/**
 * Finds the last event before `id` by bisection. A restore of the database leaves a gap of millions of ids, and reading
 * through it range by range would take thousands of requests.
 */
async function findLastBefore(store: string, oldest: number, id: number): Promise<number> {
  // There is no event between `beyond` and `id`.
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
