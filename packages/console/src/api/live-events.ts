/** The events of a store, page by page. The page of the newest events is updated while the screen is open. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OrderSearch, Place } from '../address.ts'
import { type EventFilter, type FeedEvent, listEvents, readEvents } from './event-feed.ts'
import { toFailure } from './failure.ts'
import { fillPage, PAGE_SIZE, type PageState, usePages } from './pages.ts'

const REFRESH_MS = 3000
/** The maximum of the API. */
const LIMIT = 100
/**
 * If more events than this have happened since the last update, for example in a hidden tab, the list is loaded again.
 * Catching up would take many requests.
 */
const MAX_BEHIND = 1000
/** Older events are dropped from the list, which would otherwise grow as long as the screen is open. */
const MAX_SHOWN = 200

interface Newest {
  events: FeedEvent[]
  /** The id of the newest event that has been read. */
  cursor: number
  /** The cursor of the older events; null if there are none. */
  next: string | null
}

export interface EventPage extends PageState<FeedEvent> {
  /** True for the page that is updated while the screen is open. */
  isLive: boolean
}

interface Options extends OrderSearch {
  place: Place
  isPaused: boolean
}

export function useEventPage(store: string, filter: EventFilter, { order, place, isPaused }: Options): EventPage {
  const client = useQueryClient()
  const isLive = order === undefined && place.cursor === undefined
  const key = ['events', store, filter]
  const live = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => refresh(store, filter, { before: client.getQueryData<Newest>(key), signal }),
    enabled: isLive && (!isPaused || client.getQueryData(key) === undefined),
    // TanStack Query does not refetch while the tab is hidden.
    refetchInterval: isPaused ? false : REFRESH_MS,
    staleTime: 0,
  })
  const past = usePages([...key, order], listEvents(store, filter, order ?? 'desc'), { place, isEnabled: !isLive })
  if (!isLive) return { ...past, isLive }
  const { events, next } = live.data ?? { events: undefined, next: null }
  return {
    isLive,
    rows: events,
    error: live.error,
    isStale: false,
    isFetching: live.isFetching,
    isSearching: false,
    number: 1,
    previous: undefined,
    isPreviousFirst: false,
    next: next === null ? undefined : () => place.next(next),
    isUnfinished: next !== null && (events?.length ?? 0) < PAGE_SIZE,
    retry: () => void live.refetch(),
  }
}

interface Refreshing {
  before: Newest | undefined
  signal: AbortSignal
}

async function refresh(store: string, filter: EventFilter, { before, signal }: Refreshing): Promise<Newest> {
  if (before === undefined || before.cursor === 0) return loadNewest(store, filter, signal)
  try {
    return (await appendNewer(store, filter, { before, signal })) ?? (await loadNewest(store, filter, signal))
  } catch (error) {
    // The events after the cursor are no longer kept (410), or the cursor is newer than a restored database (422).
    if ([410, 422].includes(toFailure(error).status)) return loadNewest(store, filter, signal)
    throw error
  }
}

async function loadNewest(store: string, filter: EventFilter, signal: AbortSignal): Promise<Newest> {
  // Events that happen after the first request are read by the next update.
  let cursor: number | undefined
  const { data, next } = await fillPage(
    async (after, { limit }) => {
      const query = { ...filter, order: 'desc' as const, limit, ...(after !== undefined && { after }) }
      const page = await readEvents(store, query, signal)
      cursor ??= page.newest
      return page
    },
    { after: undefined, signal },
  )
  return { events: data, next, cursor: cursor ?? 0 }
}

/** Returns undefined if too many events have happened since `before`. */
async function appendNewer(
  store: string,
  filter: EventFilter,
  { before, signal }: { before: Newest; signal: AbortSignal },
): Promise<Newest | undefined> {
  const fresh: FeedEvent[] = []
  let { cursor } = before
  for (let hasMore = true; hasMore;) {
    const page = await readEvents(store, { ...filter, order: 'asc', limit: LIMIT, after: String(cursor) }, signal)
    if (page.newest - before.cursor > MAX_BEHIND) return undefined
    fresh.push(...page.data)
    cursor = Number(page.cursor ?? cursor)
    hasMore = page.next !== null
  }
  const events = [...fresh.toReversed(), ...before.events]
  const shown = events.slice(0, MAX_SHOWN)
  const last = shown.at(-1)
  if (shown.length === events.length || last === undefined) return { ...before, events, cursor }
  return { events: shown, cursor, next: last.id }
}
