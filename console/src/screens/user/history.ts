/** The histories of a user and of the accesses, merged newest first, a part at a time. */
import { api, bodyOf } from '../../api/client.ts'

type Page = Awaited<ReturnType<typeof readUserHistory>>
type Event = Page['data'][number]

/** One history: what was read of it and is not shown yet, and where to go on. */
export interface Source {
  read: (after: string | undefined) => Promise<Page>
  waiting: Event[]
  /** Undefined: nothing was read yet. Null: nothing is left. */
  next: string | null | undefined
}

export interface Part {
  events: Event[]
  /** Undefined once all is shown. */
  rest: Source[] | undefined
}

const PART = 20

export function sourcesOf(store: string, user: string, accesses: string[]): Source[] {
  const ofUser = (after: string | undefined) => readUserHistory(store, user, after)
  const ofAccess = (id: string) => (after: string | undefined) => readAccessHistory(store, id, after)
  return [ofUser, ...accesses.map(ofAccess)].map((read) => ({ read, waiting: [], next: undefined }))
}

/** The newest events that `sources` still have. Ids rise with time over all that happens in a store. */
export async function nextPart(sources: Source[]): Promise<Part> {
  const events: Event[] = []
  let rest = sources
  while (events.length < PART) {
    // What is newest is known only once each history has shown its next event.
    // oxlint-disable-next-line no-await-in-loop -- each turn needs the one before
    rest = (await Promise.all(rest.map(filled))).filter(({ waiting }) => waiting.length > 0)
    const newest = rest.toSorted((a, b) => headOf(b) - headOf(a))[0]
    const [event] = newest?.waiting ?? []
    if (event === undefined) break
    events.push(event)
    rest = rest.map((source) => (source === newest ? { ...source, waiting: source.waiting.slice(1) } : source))
  }
  const isMore = rest.some(({ waiting, next }) => waiting.length > 0 || next !== null)
  return { events, rest: isMore ? rest : undefined }
}

function headOf({ waiting }: Source): number {
  return Number(waiting[0]?.id ?? 0)
}

/** With its next event, where there is one. */
async function filled(source: Source): Promise<Source> {
  if (source.waiting.length > 0 || source.next === null) return source
  const { data, next } = await source.read(source.next)
  return filled({ ...source, waiting: data, next })
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
  return { limit: PART, ...(after !== undefined && { after }) }
}
