/** The newest events of a store, which are updated while the screen is open, and the pages of older events. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type EventFilter,
  type FeedEvent,
  findRange,
  type PastPage,
  readPastPage,
  readEvents,
  MAX_REQUESTS,
} from './event-feed.ts'
import { toFailure } from './failure.ts'

const REFRESH_MS = 3000
/**
 * If more events than this have happened since the last update, for example in a hidden tab, the list is loaded again.
 * Catching up would take many requests.
 */
const MAX_BEHIND = 1000
/** Older events are dropped from the list, which would otherwise grow as long as the screen is open. */
const MAX_SHOWN = 200

interface Newest extends PastPage {
  oldest: number
  /** The id of the newest event that has been read. */
  cursor: number
}

export interface EventPages {
  events: FeedEvent[] | undefined
  error: Error | null
  retry: () => void
  /** How many events have been searched, from the newest one to the end of this page. */
  searchedCount: number
  isEnd: boolean
  /** True on the first page, which shows the newest events. */
  isNewest: boolean
  older: (() => void) | undefined
  newest: () => void
}

export function useEventPages(store: string, filter: EventFilter, isPaused: boolean): EventPages {
  const client = useQueryClient()
  const name = JSON.stringify([store, filter])
  const [place, setPlace] = useState<{ name: string; to: number | undefined }>({ name, to: undefined })
  const to = place.name === name ? place.to : undefined
  const isNewest = to === undefined
  const key = ['events', store, filter]
  const live = useQuery({
    queryKey: key,
    queryFn: () => refresh(store, filter, client.getQueryData<Newest>(key)),
    enabled: !isPaused || client.getQueryData(key) === undefined,
    // TanStack Query does not refetch while the tab is hidden.
    refetchInterval: isNewest && !isPaused ? REFRESH_MS : false,
    staleTime: 0,
  })
  const oldest = live.data?.oldest ?? 1
  const past = useQuery({
    queryKey: [...key, 'to', to ?? null],
    queryFn: () => readPastPage(store, filter, { oldest, to: to ?? 0, maxRequests: MAX_REQUESTS.further }),
    enabled: !isNewest && live.data !== undefined,
    staleTime: Infinity,
  })
  const { data: page, error, refetch } = isNewest ? live : past
  return {
    events: page?.events,
    error,
    retry: () => void refetch(),
    searchedCount: live.data && page ? live.data.cursor - page.from + 1 : 0,
    isEnd: page?.isEnd ?? false,
    isNewest,
    older: page && !page.isEnd ? () => setPlace({ name, to: page.from - 1 }) : undefined,
    newest: () => setPlace({ name, to: undefined }),
  }
}

async function refresh(store: string, filter: EventFilter, before: Newest | undefined): Promise<Newest> {
  if (before === undefined || before.cursor === 0) return loadNewest(store, filter)
  try {
    return (await appendNewer(store, filter, before)) ?? (await loadNewest(store, filter))
  } catch (error) {
    // The events after the cursor are no longer kept (410), or the cursor is newer than a restored database (422).
    if ([410, 422].includes(toFailure(error).status)) return loadNewest(store, filter)
    throw error
  }
}

async function loadNewest(store: string, filter: EventFilter): Promise<Newest> {
  const { oldest, newest } = await findRange(store)
  const page = await readPastPage(store, filter, { oldest, to: newest, maxRequests: MAX_REQUESTS.first })
  return { ...page, oldest, cursor: newest }
}

/** Returns undefined if too many events have happened since `before`. */
async function appendNewer(store: string, filter: EventFilter, before: Newest): Promise<Newest | undefined> {
  const fresh: FeedEvent[] = []
  let { cursor } = before
  for (let hasMore = true; hasMore;) {
    const page = await readEvents(store, filter, { after: cursor })
    if (page.newest - before.cursor > MAX_BEHIND) return undefined
    fresh.push(...page.data)
    cursor = Number(page.cursor ?? cursor)
    hasMore = page.next !== null
  }
  const events = [...fresh.toReversed(), ...before.events]
  const shown = events.slice(0, MAX_SHOWN)
  const last = shown.at(-1)
  if (shown.length === events.length || last === undefined) return { ...before, events, cursor }
  return { ...before, events: shown, cursor, from: Number(last.id), isEnd: false }
}
