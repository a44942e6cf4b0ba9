/** Lists, a page at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

interface Page<T> {
  data: T[]
  next: string | null
}

/** A search looks through a part of the store per request, and may find nothing in it: so many are asked in a row. */
const MAX_EMPTY = 20

export interface PageState<T> {
  rows: T[] | undefined
  error: Error | null
  /** What is shown belongs to the question before; the answer to this one is on its way. */
  isStale: boolean
  isFetching: boolean
  number: number
  previous: (() => void) | undefined
  next: (() => void) | undefined
  retry: () => void
}

/** `key` names the question, filters included: with another one the list starts again. `refreshMs`: how often it is asked anew. */
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
      for (let i = 0; i < MAX_EMPTY && page.data.length === 0 && page.next !== null; i++) page = await list(page.next)
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
