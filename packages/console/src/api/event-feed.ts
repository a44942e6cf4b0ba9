/** Reads the events of a store, and those of operators. */
import { api, bodyOf, type Schemas } from './client.ts'
import type { List } from './pages.ts'

export interface EventFilter {
  type?: Schemas['EventType']
  user_id?: string
  product_access_id?: string
  actor?: string
  since?: string
  until?: string
}

export type EventOrder = 'asc' | 'desc'

export type FeedEvent = Schemas['StoreEvent']

interface EventsPage {
  data: FeedEvent[]
  next: string | null
  /** The id up to which the feed has been read; null for the newest first. */
  cursor: string | null
  /** The id of the newest event of the whole feed; 0 if there are no events. */
  newest: number
}

type Query = EventFilter & { order: EventOrder; limit: number; after?: string }

export async function readEvents(store: string, query: Query, signal: AbortSignal, client = api): Promise<EventsPage> {
  const { data, response } = await client.GET('/admin/stores/{store_id}/events', {
    params: { path: { store_id: store }, query },
    signal,
  })
  return { ...data, cursor: data.cursor ?? null, newest: Number(response.headers.get('X-Newest-Id') ?? 0) }
}

export function listEvents(store: string, filter: EventFilter, order: EventOrder, client = api): List<FeedEvent> {
  return (after, { limit, signal }) =>
    readEvents(store, { ...filter, order, limit, ...(after !== undefined && { after }) }, signal, client)
}

/** The newest first. */
export const listOperatorEvents: List<FeedEvent> = (after, { limit, signal }) => {
  const query = { limit, order: 'desc' as const, ...(after !== undefined && { after }) }
  return bodyOf(api.GET('/admin/events', { params: { query }, signal }))
}
