/** Lists that are read one page at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

interface Page<T> {
  data: T[]
  next: string | null
}

/**
 * A search reads a limited part of the store per request and may return an empty page with a cursor. This many empty
 * pages are skipped; without the limit, a search for nothing would read the whole store.
 */
const MAX_EMPTY_PAGES = 20

export interface PageState<T> {
  rows: T[] | undefined
  error: Error | null
  /**
   * True while the rows still belong to the previous filters, because the response for the new ones has not arrived.
   */
  isStale: boolean
  isFetching: boolean
  number: number
  previous: (() => void) | undefined
  next: (() => void) | undefined
  retry: () => void
}

/**
 * `key` identifies the list and its filters; a different key starts again at the first page. With `refreshMs`, the page
 * is read again in this interval.
 */
export function usePages<T>(
  key: unknown[],
  list: (after: string | undefined) => Promise<Page<T>>,
  { refreshMs = false }: { refreshMs?: number | false } = {},
): PageState<T> {
  const name = JSON.stringify(key)
  const [place, setPlace] = useState<{ name: string; cursors: (string | undefined)[] }>({ name, cursors: [undefined] })
  const cursors = place.name === name ? place.cursors : [undefined]
  const cursor = cursors.at(-1)
  const query = useQuery({
    queryKey: [...key, 'page', cursor ?? null],
    queryFn: async () => {
      let page = await list(cursor)
      for (let i = 0; i < MAX_EMPTY_PAGES && page.data.length === 0 && page.next !== null; i++)
        page = await list(page.next)
      return page
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const after = query.data?.next ?? undefined
  const isStale = query.isPlaceholderData
  return {
    rows: query.data?.data,
    error: query.error,
    isStale,
    isFetching: query.isFetching,
    number: cursors.length,
    previous: cursors.length > 1 ? () => setPlace({ name, cursors: cursors.slice(0, -1) }) : undefined,
    next: after !== undefined && !isStale ? () => setPlace({ name, cursors: [...cursors, after] }) : undefined,
    retry: () => void query.refetch(),
  }
}
