import type { EventFilter } from '../../api/event-feed.ts'
import type { EventSearch } from '../../api/event-search.ts'
import { en } from '../../words/en.ts'

type EventType = NonNullable<EventFilter['type']>

/** In the feed of a store: what happens to operators has a feed of its own. */
export const TYPES: EventType[] = Object.keys(en.eventTypes)
  .filter(isType)
  .filter((type) => !type.startsWith('operator.'))

export function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text)
}

/** What cannot be asked for is left out. */
export function toFilter({ type, user, access }: EventSearch): EventFilter {
  return {
    ...(type !== undefined && isType(type) && { type }),
    ...(user !== undefined && isId(user) && { user_id: user }),
    ...(access !== undefined && isId(access) && { product_access_id: access }),
  }
}

function isType(text: string): text is EventType {
  return Object.hasOwn(en.eventTypes, text)
}
