import { RegistrarError } from './error.ts'
import { sleep } from './retries.ts'
import type { operations } from './schema.ts'
import type { Schemas } from './types.ts'
import type { StoreEvent } from './webhooks.ts'

type EventPage = Schemas['EventPage']
type Query = NonNullable<operations['listEvents']['parameters']['query']>

export interface FollowOptions extends Pick<Query, 'type' | 'user_id' | 'product_access_id'> {
  store: string
  /** The cursor that was saved last. Without one, the feed starts at the oldest event that is kept. */
  cursor?: string | null | undefined
  /** Is awaited before the next page is read. Save the cursor together with what the events change. */
  onPage: (events: StoreEvent[], cursor: string) => Promise<void> | void
  /** How long to wait while there is nothing new. */
  pollMs?: number
  signal?: AbortSignal
}

const LIMIT = '100'
const POLL_MS = 5_000

/** Returns when the signal is aborted. Throws what `onPage` throws, and RegistrarError unless it is temporary. */
export async function followEvents(
  read: (query: URLSearchParams) => Promise<Response>,
  { cursor, onPage, pollMs = POLL_MS, signal, type, user_id, product_access_id }: FollowOptions,
): Promise<void> {
  const filter = Object.entries({ type, user_id, product_access_id }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams({ ...Object.fromEntries(filter), limit: LIMIT, ...(cursor && { after: cursor }) })

  /** Undefined after a failure that will pass: it must not end a program that follows the feed for months. */
  async function nextPage(): Promise<EventPage | undefined> {
    try {
      return await (await read(query)).json()
    } catch (error) {
      if (signal?.aborted === true || (error instanceof RegistrarError && error.isTemporary)) return undefined
      throw error
    }
  }

  const isStopped = (): boolean => signal?.aborted === true
  while (!isStopped()) {
    const page = await nextPage()
    // With a filter, the cursor moves on although the page has no events.
    if (page?.cursor && page.cursor !== query.get('after')) {
      await onPage(page.data, page.cursor)
      query.set('after', page.cursor)
    }
    // It throws the reason of the signal alone, which ends the loop.
    if (!page?.next) await sleep(pollMs, signal).catch(() => undefined)
  }
}
