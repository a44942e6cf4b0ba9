/** Lists that are read one page at a time. */
import {
  hashKey,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Place } from '../address.ts'

interface Page<T> {
  data: T[]
  next: string | null
}

/** `limit` is how many rows are still missing on the page. A list may ignore it. */
interface PageRequest {
  limit: number
  signal: AbortSignal
}

export type List<T> = (after: string | undefined, request: PageRequest) => Promise<Page<T>>

interface ReadPage<T> extends Page<T> {
  /** True while further requests look for the rest of the page. */
  isPartial?: boolean
}

export const PAGE_SIZE = 50
/**
 * A search reads a limited part of the store per request, so its page may be short or empty although more follows. It is
 * filled with this many requests; then the operator decides whether to search further.
 */
const MAX_REQUESTS = 10

export interface PageState<T> {
  rows: T[] | undefined
  error: Error | null
  /**
   * True while the rows still belong to the previous filters, because the response for the new ones has not arrived.
   */
  isStale: boolean
  isFetching: boolean
  /** True while the rest of the page is being searched for. */
  isSearching: boolean
  number: number
  previous: (() => void) | undefined
  /** True if `previous` leads to the first page instead of the previous one. */
  isPreviousFirst: boolean
  next: (() => void) | undefined
  /** True if a part of the store has not been searched yet, and `next` searches it. */
  isUnfinished: boolean
  retry: () => void
}

interface Options {
  /** With it, the page is read again in this interval. */
  refreshMs?: number | false
  /** How many rows a page has. */
  size?: number
  /** The page in the URL. If it is omitted, the page is forgotten with the screen. */
  place?: Place | undefined
  /** False for a list that is not shown. Its pages are not read. */
  isEnabled?: boolean
}

interface PageOf<T> {
  list: List<T>
  cursor?: string | undefined
  size?: number
}

/** A page as a query of the cache. */
function queryOf<T>(client: QueryClient, key: unknown[], { list, cursor, size = PAGE_SIZE }: PageOf<T>) {
  const queryKey = [...key, 'page', cursor ?? null, size]
  return {
    queryKey,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fillPage(list, { after: cursor, signal, size, show: partsInto<T>(client, queryKey) }),
  }
}

/**
 * Begins to read the first page of a list that may be shown next, such as the matches of a text that is still being
 * typed. It cancels the one that it began before, unless that is shown: a store has one search at a time, so the text
 * would wait for every part of it that was typed.
 */
export function useReadSoon<T>(): (key: unknown[], list: List<T>) => void {
  const client = useQueryClient()
  const last = useRef<QueryKey>([])
  return (key, list) => {
    const query = queryOf(client, key, { list })
    if (hashKey(query.queryKey) === hashKey(last.current)) return
    void client.cancelQueries({ queryKey: last.current, exact: true, type: 'inactive' })
    last.current = query.queryKey
    void client.prefetchQuery(query)
  }
}

/** `key` identifies the list and its filters; a different key starts again at the first page. */
export function usePages<T>(
  key: unknown[],
  list: List<T>,
  { refreshMs = false, size = PAGE_SIZE, place, isEnabled = true }: Options = {},
): PageState<T> {
  const ownPlace = useOwnPlace(key)
  const { cursor, number, previous, isPreviousFirst, next } = place ?? ownPlace
  const client = useQueryClient()
  const query = useQuery({
    ...queryOf(client, key, { list, cursor, size }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    enabled: isEnabled,
  })
  const isStale = query.isPlaceholderData
  const after = query.data?.next ?? undefined
  const isSearching = (query.data?.isPartial ?? false) && query.isFetching
  return {
    rows: query.data?.data,
    error: query.error,
    isStale,
    isFetching: query.isFetching,
    isSearching,
    number,
    previous,
    isPreviousFirst,
    next: after !== undefined && !isStale && !isSearching ? () => next(after) : undefined,
    isUnfinished: after !== undefined && (query.data?.data.length ?? 0) < size,
    retry: () => void query.refetch(),
  }
}

/** Shows the rows of an unfinished page. A page that is read again is only shown once it is complete, or it would flicker. */
function partsInto<T>(client: QueryClient, queryKey: unknown[]): (part: ReadPage<T>) => void {
  const isNew = client.getQueryData(queryKey) === undefined
  return (part) => {
    if (isNew) client.setQueryData(queryKey, part)
  }
}

interface Filling<T> {
  after: string | undefined
  signal: AbortSignal
  /** How many rows are enough. */
  size?: number
  show?: (part: ReadPage<T>) => void
}

/** Reads on until the page is full, or nothing follows. */
export async function fillPage<T>(
  list: List<T>,
  { after, signal, size = PAGE_SIZE, show }: Filling<T>,
): Promise<ReadPage<T>> {
  const data: T[] = []
  let next = after
  for (let requests = 1; ; requests++) {
    const page = await list(next, { limit: size - data.length, signal })
    data.push(...page.data)
    if (page.next === null || data.length >= size || requests === MAX_REQUESTS) return { data, next: page.next }
    next = page.next
    if (page.data.length > 0) show?.({ data: [...data], next, isPartial: true })
  }
}

function useOwnPlace(key: unknown[]): Place {
  const name = JSON.stringify(key)
  const [place, setPlace] = useState<{ name: string; cursors: (string | undefined)[] }>({ name, cursors: [undefined] })
  const cursors = place.name === name ? place.cursors : [undefined]
  return {
    cursor: cursors.at(-1),
    number: cursors.length,
    previous: cursors.length > 1 ? () => setPlace({ name, cursors: cursors.slice(0, -1) }) : undefined,
    isPreviousFirst: false,
    next: (cursor) => setPlace({ name, cursors: [...cursors, cursor] }),
  }
}
