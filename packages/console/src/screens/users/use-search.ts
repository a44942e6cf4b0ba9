import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place } from '../../address.ts'
import { type PageState, usePages } from '../../api/pages.ts'
import type { User } from './draft.ts'
import type { LastSearch } from './narrowing.ts'
import { findExactly, searchUsers, type UserFilter, withFirst } from './search.ts'

interface Options {
  /** The last search, from which this one goes on. A list that changes must omit it, or it would be read again from memory. */
  last?: LastSearch
  place?: Place
  size?: number
  isEnabled?: boolean
}

/** A page of the users whom a text finds. Those with exactly this external id or id come first, on the first page. */
export function useSearch(store: string, filter: UserFilter, { last, ...options }: Options): PageState<User> {
  const { q = '' } = filter
  const page = usePages(keyOf(store, filter), searchUsers(store, filter, last), options)
  const exact = useQuery({
    queryKey: ['users', store, 'exactly', q],
    queryFn: ({ signal }) => findExactly(store, q, signal),
    enabled: q !== '' && page.number === 1 && options.isEnabled !== false,
  })
  const first = page.isStale ? undefined : exact.data
  const rows = useMemo(() => page.rows && withFirst(first ?? [], page.rows), [first, page.rows])
  return {
    ...page,
    // It is not known yet that nobody is found.
    rows: rows?.length === 0 && exact.isLoading ? undefined : rows,
    error: page.error ?? exact.error,
    isFetching: page.isFetching || exact.isFetching,
    retry: () => {
      page.retry()
      if (exact.error) void exact.refetch()
    },
  }
}

/** The key of the search in the cache. */
export function keyOf(store: string, filter: UserFilter): unknown[] {
  return ['users', store, filter]
}
