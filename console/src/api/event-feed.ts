/** Reads the events of a store, and those of operators. */
import { api, bodyOf, type Schemas } from './client.ts'
import { failureOf } from './failure.ts'
import type { List } from './pages.ts'

export interface EventFilter {
  type?: Schemas['Event']['type']
  user_id?: string
  product_access_id?: string
}

export type EventOrder = 'asc' | 'desc'

/** The client's type and not the schema's: the client omits properties that are always null. */
export type FeedEvent = NonNullable<Awaited<ReturnType<typeof getEvents>>['data']>['data'][number]

interface EventsPage {
  data: FeedEvent[]
  next: string | null
  /** The id up to which the feed has been read; null for the newest first. */
  cursor: string | null
  /** The id of the newest event of the whole feed; 0 if there are no events. */
  newest: number
}

type Query = EventFilter & { order: EventOrder; limit: number; after?: string }

function getEvents(store_id: string, query: Query, signal: AbortSignal) {
  return api.GET('/admin/stores/{store_id}/events', { params: { path: { store_id }, query }, signal })
}

export async function readEvents(store: string, query: Query, signal: AbortSignal): Promise<EventsPage> {
  const { data, response } = await getEvents(store, query, signal)
  if (data === undefined) throw failureOf(response, undefined)
  return { ...data, cursor: data.cursor ?? null, newest: Number(response.headers.get('X-Newest-Id') ?? 0) }
}

export function listEvents(store: string, filter: EventFilter, order: EventOrder): List<FeedEvent> {
  return (after, { limit, signal }) =>
    readEvents(store, { ...filter, order, limit, ...(after !== undefined && { after }) }, signal)
}

type OperatorEvent = Awaited<ReturnType<typeof getOperatorEvents>>['data'][number]

function getOperatorEvents(query: { limit: number; after?: string }, signal: AbortSignal) {
  return bodyOf(api.GET('/admin/events', { params: { query: { ...query, order: 'desc' } }, signal }))
}

/** The newest first. */
export const listOperatorEvents: List<OperatorEvent> = (after, { limit, signal }) =>
  getOperatorEvents({ limit, ...(after !== undefined && { after }) }, signal)
