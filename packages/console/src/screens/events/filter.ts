import { addDays, startOfDay } from '../../../../../src/calendar.ts'
import type { EventFilter } from '../../api/event-feed.ts'
import type { EventSearch } from '../../api/event-search.ts'
import { en } from '../../words/en.ts'

type EventType = NonNullable<EventFilter['type']>

/** The types in the feed of a store. Events of operators are in a feed of their own. */
export const TYPES: EventType[] = Object.keys(en.eventTypes)
  .filter(isType)
  .filter((type) => !type.startsWith('operator.'))

/** Omits a type that the API would reject. A day lasts from its first to its last moment in the time zone of the store. */
export function toFilter({ type, user, access, actor, from, to }: EventSearch, zone: string): EventFilter {
  return {
    ...(type !== undefined && isType(type) && { type }),
    ...(user !== undefined && { user_id: user }),
    ...(access !== undefined && { product_access_id: access }),
    ...(actor !== undefined && { actor }),
    ...(from !== undefined && { since: instantOf(startOfDay(from, zone)) }),
    ...(to !== undefined && { until: instantOf(startOfDay(addDays(to, 1), zone)) }),
  }
}

/** False for a type that was added to the API after this version of the console. */
export function isType(text: string): text is EventType {
  return Object.hasOwn(en.eventTypes, text)
}

function instantOf(time: number): string {
  return new Date(time).toISOString()
}
