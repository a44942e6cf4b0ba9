/** The newest events of a store, which go on by themselves, and the pages before them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type EventFilter,
  type FeedEvent,
  findEnds,
  type PastPage,
  readBack,
  readEvents,
  REQUESTS,
} from './event-feed.ts'
import { toFailure } from './failure.ts'

const EVERY_MS = 3000
/** Who comes back after a long while begins anew instead of reading all that happened meanwhile. */
const MAX_BEHIND = 1000
/** The list does not grow for ever. */
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
  /** How many of the newest events have been looked through, this page included. */
  lookedThrough: number
  isEnd: boolean
  /** Whether the newest are shown. */
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
    queryFn: () => goOn(store, filter, client.getQueryData<Newest>(key)),
    enabled: !isPaused || client.getQueryData(key) === undefined,
    // Not while the tab is hidden: TanStack Query's default.
    refetchInterval: isNewest && !isPaused ? EVERY_MS : false,
    staleTime: 0,
  })
  const oldest = live.data?.oldest ?? 1
  const past = useQuery({
    queryKey: [...key, 'to', to ?? null],
    queryFn: () => readBack(store, filter, { oldest, to: to ?? 0, maxRequests: REQUESTS.further }),
    enabled: !isNewest && live.data !== undefined,
    staleTime: Infinity,
  })
  const { data: page, error, refetch } = isNewest ? live : past
  return {
    events: page?.events,
    error,
    retry: () => void refetch(),
    lookedThrough: live.data && page ? live.data.cursor - page.from + 1 : 0,
    isEnd: page?.isEnd ?? false,
    isNewest,
    older: page && !page.isEnd ? () => setPlace({ name, to: page.from - 1 }) : undefined,
    newest: () => setPlace({ name, to: undefined }),
  }
}

async function goOn(store: string, filter: EventFilter, before: Newest | undefined): Promise<Newest> {
  if (before === undefined || before.cursor === 0) return begin(store, filter)
  try {
    return (await follow(store, filter, before)) ?? (await begin(store, filter))
  } catch (error) {
    // The cursor is older than what is kept, or newer than a database that was restored.
    if ([410, 422].includes(toFailure(error).status)) return begin(store, filter)
    throw error
  }
}

async function begin(store: string, filter: EventFilter): Promise<Newest> {
  const { oldest, newest } = await findEnds(store)
  const page = await readBack(store, filter, { oldest, to: newest, maxRequests: REQUESTS.first })
  return { ...page, oldest, cursor: newest }
}

/** Undefined where too much has happened meanwhile. */
async function follow(store: string, filter: EventFilter, before: Newest): Promise<Newest | undefined> {
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
