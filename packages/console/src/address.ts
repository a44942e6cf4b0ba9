/**
 * The filters, the order and the page of a list are part of the URL, so that back, a reload and a shared link show the
 * same. They follow the `#`, which no server or log ever gets; a search for a person does stay in the browser's history.
 */
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'

export type Search = Record<string, unknown>

/** Which page of a list is shown. */
export interface Place {
  cursor: string | undefined
  number: number
  /** Undefined on the first page. */
  previous: (() => void) | undefined
  /** True if the pages before this one are not known, because a link led here. `previous` then shows the first page. */
  isPreviousFirst: boolean
  next: (cursor: string) => void
}

export interface PageSearch {
  after?: string
  page?: number
}

/** The page of a second list on the same screen. */
export interface HistoryPageSearch {
  history_after?: string
  history_page?: number
}

/** The parameters of the page in the URL begin with it. */
type ListName = '' | 'history_'

interface Address<F> {
  filter: F
  /**
   * Shows the first page with these filters. With `replace`, back skips the present ones: for text that is still being
   * typed.
   */
  setFilter: (filter: F, options?: { replace?: boolean }) => void
  place: Place
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of each list, the cursors of the pages before the one that is shown. The browser keeps them over a reload. */
    cursors?: Partial<Record<ListName, (string | null)[]>>
  }
}

/**
 * `read` returns the filters that the screen knows. Somebody may have typed the URL, so it ignores invalid values. On a
 * screen with two lists, the page of the other one is among the filters, because turning a page must keep it.
 */
export function useAddress<F extends object>(read: (search: Search) => F, list: ListName = ''): Address<F> {
  const search: Search = useSearch({ strict: false })
  const { cursors: all } = useLocation().state
  const cursors = all?.[list] ?? []
  const navigate = useNavigate()
  const filter = read(search)
  const { after, page = 1 } = readPage({ after: search[`${list}after`], page: search[`${list}page`] })
  const show = (cursor: string | null, number: number, before: (string | null)[]) =>
    void navigate({
      to: '.',
      search: { ...filter, ...(cursor !== null && { [`${list}after`]: cursor, [`${list}page`]: number }) },
      state: { cursors: { ...all, [list]: before } },
    })
  const isKnown = cursors.length === page - 1
  return {
    filter,
    setFilter: (next, { replace = false } = {}) => void navigate({ to: '.', search: { ...next }, replace }),
    place: {
      cursor: after,
      number: page,
      previous:
        after === undefined
          ? undefined
          : () => (isKnown ? show(cursors.at(-1) ?? null, page - 1, cursors.slice(0, -1)) : show(null, 1, [])),
      isPreviousFirst: after !== undefined && !isKnown,
      next: (cursor) => show(cursor, page + 1, isKnown ? [...cursors, after ?? null] : []),
    },
  }
}

/** The page that a URL names. Without a cursor it is the first one. */
export function readPage({ after, page }: Search): PageSearch {
  const cursor = textIn(after)
  if (cursor === undefined) return {}
  const number = Number(page)
  return { after: cursor, page: Number.isInteger(number) && number > 1 ? number : 2 }
}

export function readHistoryPage({ history_after, history_page }: Search): HistoryPageSearch {
  const { after, page } = readPage({ after: history_after, page: history_page })
  return after === undefined ? {} : { history_after: after, ...(page !== undefined && { history_page: page }) }
}

/** The order of a list. Without it, the newest come first. */
export interface OrderSearch {
  order?: 'asc'
}

export function readOrder({ order }: Search): OrderSearch {
  return order === 'asc' ? { order } : {}
}

/** Returns undefined for an empty text. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the choice that the text names, or undefined. */
export function choiceIn<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value)
}

/** The router's own parser reads values as JSON. It would turn a search for 42 into a number, and write ids in quotes. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Search): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  )
  const text = new URLSearchParams(entries).toString()
  return text === '' ? '' : `?${text}`
}
