import { useState } from 'react'
import type { PageState } from './pages.ts'

/** Pages of rows that are already loaded. */
export function useLocalPages<T>(all: T[], size = 25): PageState<T> {
  const [wanted, setPage] = useState(0)
  const last = Math.max(0, Math.ceil(all.length / size) - 1)
  const page = Math.min(wanted, last)
  return {
    rows: all.slice(page * size, (page + 1) * size),
    error: null,
    isStale: false,
    isFetching: false,
    number: page + 1,
    previous: page > 0 ? () => setPage(page - 1) : undefined,
    next: page < last ? () => setPage(page + 1) : undefined,
    retry: () => {},
  }
}
