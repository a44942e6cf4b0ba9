import { RegistrarError } from './error.ts'
import { sleep } from './retries.ts'
import type { operations } from './schema.ts'
import type { Schemas } from './types.ts'
import type { StoreEvent } from './webhooks.ts'

type EventPage = Schemas['EventPage']
type Query = NonNullable<operations['listEvents']['parameters']['query']>

export interface FollowOptions extends Pick<Query, 'type' | 'user_id' | 'product_access_id' | 'actor'> {
  store: string
  /** The cursor that was saved last. Without one, `from` says where to begin. */
  cursor?: string | null | undefined
  /**
   * Where to begin without a cursor: at the oldest event that is kept (the default), or after the newest. With `newest`,
   * `onPage` is called at once, with the cursor and no events: save it, or the next start begins at a newer event.
   */
  from?: 'oldest' | 'newest' | undefined
  /** Is awaited before the next page is read. Save the cursor together with what the events change. */
  onPage: (events: StoreEvent[], cursor: string) => Promise<void> | void
  /** How long to wait while there is nothing new. */
  pollMs?: number
  signal?: AbortSignal
}

const LIMIT = '100'
const POLL_MS = 5_000
/** A proxy may ask for more than a timer can wait, which then ends at once. */
const MAX_ASKED_MS = 3_600_000

/** Returns when the signal is aborted. Throws what `onPage` throws, and RegistrarError unless it is temporary. */
export async function followEvents(
  read: (query: URLSearchParams) => Promise<Response>,
  { cursor, from = 'oldest', onPage, pollMs = POLL_MS, signal, ...options }: FollowOptions,
): Promise<void> {
  const { type, user_id, product_access_id, actor } = options
  const filter = Object.entries({ type, user_id, product_access_id, actor }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams({ ...Object.fromEntries(filter), limit: LIMIT, ...(cursor && { after: cursor }) })
  let isNew = !cursor && from === 'newest'
  /** How long the service has asked to wait, beyond the deadline of the client. */
  let askedMs = 0

  /** Undefined after a failure that will pass: it must not end a program that follows the feed for months. */
  async function nextPage(): Promise<EventPage | undefined> {
    askedMs = 0
    try {
      return isNew ? await emptyPage(read) : await (await read(query)).json()
    } catch (error) {
      if (signal?.aborted === true) return undefined
      if (!(error instanceof RegistrarError && error.isTemporary)) throw error
      askedMs = Math.min((error.retryAfter ?? 0) * 1000, MAX_ASKED_MS)
      return undefined
    }
  }

  const isStopped = (): boolean => signal?.aborted === true
  while (!isStopped()) {
    const page = await nextPage()
    // With a filter, the cursor moves on although the page has no events.
    if (page?.cursor && page.cursor !== query.get('after')) {
      await onPage(page.data, page.cursor)
      query.set('after', page.cursor)
      isNew = false
    }
    // It throws the reason of the signal alone, which ends the loop.
    if (!page?.next) await sleep(Math.max(pollMs, askedMs), signal).catch(() => undefined)
  }
}

/** What lies after the newest event. No filter, which could make the service examine events that nobody wants. */
async function emptyPage(read: (query: URLSearchParams) => Promise<Response>): Promise<EventPage> {
  const { headers } = await read(new URLSearchParams({ limit: '1' }))
  const cursor = headers.get('X-Newest-Id')
  if (cursor === null) throw new Error('The response has no X-Newest-Id: something between has removed it.')
  return { data: [], next: cursor, cursor }
}
