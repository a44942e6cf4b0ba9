/**
 * Reads several parts of a search at the same time. Each request examines a limited number of records, and in a large
 * store a dozen requests one after the other would take a second. Where the parts begin is estimated from the first
 * request. A part that turns out to be too large is read on, so that no row is missing, and no row is shown twice.
 */
import type { List, Page } from './pages.ts'

/** The order in which a list is searched. */
export interface Order<T> {
  positionOf: (row: T) => number
  /** Undefined for a cursor that is no position in this order. */
  positionAt: (cursor: string) => number | undefined
  cursorAt: (position: number) => string
}

export interface Plan<T> {
  list: List<T>
  order: Order<T>
  /** The position after which the first part begins. */
  from: number
  /** The distance between the beginnings of two parts. */
  stride: number
  count: number
  /** How many rows are enough. */
  limit: number
  signal: AbortSignal
  /** Called with all rows that have been found, whenever there are more. */
  show: (rows: T[]) => void
}

interface Part<T> {
  rows: T[]
  /** Everything up to this position was examined. */
  position: number
  end: number
  state: 'reading' | 'examined' | 'nothing_follows'
}

/** How many requests a plan may need for each of its parts. */
const REQUESTS_PER_PART = 2

/** Returns the rows from the beginning up to the limit, or up to the first position that was not examined. */
export async function readParts<T>(plan: Plan<T>): Promise<Page<T>> {
  const { list, order, from, stride, count, limit, show } = plan
  const parts: Part<T>[] = Array.from({ length: count }, (_, i) => ({
    rows: [],
    position: from + i * stride,
    end: from + (i + 1) * stride,
    state: 'reading',
  }))
  const enough = new AbortController()
  const signal = AbortSignal.any([plan.signal, enough.signal])
  let requests = count * REQUESTS_PER_PART
  const read = async (part: Part<T>) => {
    while (part.state === 'reading' && part.rows.length <= limit && requests-- > 0) {
      const { data, next } = await list(order.cursorAt(part.position), { limit, signal })
      const rows = data.filter((row) => order.positionOf(row) <= part.end)
      part.rows.push(...rows)
      part.position = Math.min(part.end, (next === null ? undefined : order.positionAt(next)) ?? part.end)
      if (next === null) part.state = 'nothing_follows'
      else if (part.position === part.end) part.state = 'examined'
      if (rows.length > 0) show(parts.flatMap((one) => one.rows).slice(0, limit))
      if (pageOf(plan, parts).data.length >= limit) enough.abort()
    }
  }
  const isEnough = new Promise<void>((resolve) => {
    enough.signal.addEventListener('abort', () => resolve())
  })
  await Promise.race([isEnough, Promise.all(parts.map(read))])
  return pageOf(plan, parts)
}

function pageOf<T>({ order, limit }: Plan<T>, parts: Part<T>[]): Page<T> {
  const data: T[] = []
  let end = 0
  for (const { rows, position, state } of parts) {
    data.push(...rows)
    const last = data[limit - 1]
    if (data.length > limit && last !== undefined) {
      return { data: data.slice(0, limit), next: order.cursorAt(order.positionOf(last)) }
    }
    if (state === 'nothing_follows') return { data, next: null }
    end = position
    if (state === 'reading') break
  }
  return { data, next: order.cursorAt(end) }
}
