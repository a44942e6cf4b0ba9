/** Merges the histories of a user and of the user's accesses, newest first, one page at a time. */
import { api, bodyOf } from '../../api/client.ts'

type Page = Awaited<ReturnType<typeof readUserHistory>>
type Event = Page['data'][number]

/** One history: the events that have been read but not shown, and the cursor of the next page. */
export interface Source {
  read: (after: string | undefined) => Promise<Page>
  buffered: Event[]
  /** Undefined if nothing has been read yet, null if there are no more pages. */
  next: string | null | undefined
}

export interface TimelinePage {
  events: Event[]
  /** Undefined if there are no more events. */
  rest: Source[] | undefined
}

const PAGE_SIZE = 20

export function sourcesOf(store: string, user: string, accesses: string[]): Source[] {
  const ofUser = (after: string | undefined) => readUserHistory(store, user, after)
  const ofAccess = (id: string) => (after: string | undefined) => readAccessHistory(store, id, after)
  return [ofUser, ...accesses.map(ofAccess)].map((read) => ({ read, buffered: [], next: undefined }))
}

/**
 * Returns the newest events that have not been shown. Event ids rise with time across the whole store, so comparing ids
 * is enough.
 */
export async function readNextPage(sources: Source[]): Promise<TimelinePage> {
  const events: Event[] = []
  let rest = sources
  while (events.length < PAGE_SIZE) {
    // Every history must have its next event loaded. Otherwise a newer event of one of them would be shown too late.
    rest = (await Promise.all(rest.map(withNextEvent))).filter(({ buffered }) => buffered.length > 0)
    const newest = rest.toSorted((a, b) => headOf(b) - headOf(a))[0]
    const [event] = newest?.buffered ?? []
    if (event === undefined) break
    events.push(event)
    rest = rest.map((source) => (source === newest ? { ...source, buffered: source.buffered.slice(1) } : source))
  }
  const hasMore = rest.some(({ buffered, next }) => buffered.length > 0 || next !== null)
  return { events, rest: hasMore ? rest : undefined }
}

function headOf({ buffered }: Source): number {
  return Number(buffered[0]?.id ?? 0)
}

/** Reads pages of the source until it has at least one event, or ends. */
async function withNextEvent(source: Source): Promise<Source> {
  if (source.buffered.length > 0 || source.next === null) return source
  const { data, next } = await source.read(source.next)
  return withNextEvent({ ...source, buffered: data, next })
}

function readUserHistory(store: string, id: string, after: string | undefined) {
  return bodyOf(
    api.GET('/admin/stores/{store_id}/users/{id}/events', {
      params: { path: { store_id: store, id }, query: queryOf(after) },
    }),
  )
}

function readAccessHistory(store: string, id: string, after: string | undefined) {
  return bodyOf(
    api.GET('/admin/stores/{store_id}/product_accesses/{id}/events', {
      params: { path: { store_id: store, id }, query: queryOf(after) },
    }),
  )
}

function queryOf(after: string | undefined) {
  return { limit: PAGE_SIZE, ...(after !== undefined && { after }) }
}
