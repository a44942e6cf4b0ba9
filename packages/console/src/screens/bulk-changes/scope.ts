import type { BulkChange, NewBulkChange } from '../../api/bulk-changes.ts'
import type { Schemas } from '../../api/client.ts'
import { accessStateOf } from '../../parts/access-states.ts'
import { type AccessFilter, toBulkFilter } from '../accesses/filter.ts'
import type { Kind } from './change.ts'

/** The accesses that a bulk change is about: all matches of the filter, or those that were chosen one by one. */
export interface BulkScope {
  filter: AccessFilter
  chosen?: Schemas['ProductAccess'][]
  /** All accesses of these people. */
  people?: Schemas['User'][]
  /** What the form begins with. */
  kind?: Kind
}

/** The API's limit for `user_ids`. */
export const MAX_CHOSEN = 1000

/** A filter names chosen accesses by their users, so they must all be of one product. */
export function productOf(chosen: Schemas['ProductAccess'][]): string | undefined {
  const [first] = chosen
  return chosen.every(({ product }) => product.id === first?.product.id) ? first?.product.id : undefined
}

export function bulkFilterOf({ filter, chosen, people }: BulkScope): NewBulkChange['filter'] {
  if (people) return { user_ids: people.map(({ id }) => id) }
  if (!chosen) return toBulkFilter(filter)
  const product_id = productOf(chosen)
  return { ...(product_id !== undefined && { product_id }), user_ids: chosen.map(({ user }) => user.id) }
}

export function haveAllEnded({ filter, chosen }: BulkScope, now: number): boolean {
  return chosen ? chosen.every((access) => accessStateOf(access, now) === 'ended') : filter.state === 'ended'
}

/** More accesses than this are not changed by one click. */
const MAX_UNCONFIRMED = 1000

/** More accesses than this do not lose something by one click. */
const MAX_UNCONFIRMED_LOSSES = 100

/** A second is what people see of the end of a day: 23:59:59.000 and 23:59:59.999 end the same day. */
const SECOND_MS = 1000

/** The accesses of the filter that end within the second to which the change sets the date, if it sets one. */
export function sameEndFilter({ filter, change }: NewBulkChange): NewBulkChange['filter'] | undefined {
  if (typeof change.access_due_date !== 'string') return undefined
  const second = Math.floor(Date.parse(change.access_due_date) / SECOND_MS) * SECOND_MS
  const from = Math.max(second, filter.due_after === undefined ? second : Date.parse(filter.due_after))
  const end = second + SECOND_MS
  const until = Math.min(end, filter.due_before === undefined ? end : Date.parse(filter.due_before))
  if (from >= until) return undefined
  return { ...filter, due_after: new Date(from).toISOString(), due_before: new Date(until).toISOString() }
}

type Counts = Pick<BulkChange, 'changed' | 'unchanged' | 'effects'>

/**
 * What people see of the counts. `sameEnd` has those of the accesses that end within the same second afterwards: the service
 * changes them, but their day stays.
 */
export function seenCounts({ changed, unchanged, effects }: Counts, sameEnd: Counts | undefined) {
  const { later = 0, earlier = 0, opened = 0 } = sameEnd?.effects ?? {}
  const quiet = (sameEnd?.changed ?? 0) - opened
  return {
    changed: changed - quiet,
    unchanged: unchanged + quiet,
    effects: { ...effects, later: effects.later - later, earlier: effects.earlier - earlier, sameDay: later + earlier },
  }
}

/** How many accesses end earlier, get a limit or are closed. */
export function lossesOf({ earlier, limited, closed }: BulkChange['effects']): number {
  return earlier + limited + closed
}

/** What the operator must type: how many accesses lose something, or how large the change is. */
export function confirmationFor(
  filter: NewBulkChange['filter'],
  { changed, effects }: Pick<BulkChange, 'changed' | 'effects'>,
): { losses: number } | { changed: number } | undefined {
  const losses = lossesOf(effects)
  if (losses > MAX_UNCONFIRMED_LOSSES) return { losses }
  const isAll = Object.keys(filter).length === 0
  return changed > 0 && (isAll || changed > MAX_UNCONFIRMED) ? { changed } : undefined
}

/** Whether the text is the number, with or without separators, or the name of the store unless some lose something. */
export function isConfirmed(text: string, toType: { losses: number } | { changed: number }, store: string): boolean {
  const typed = text.trim().toLowerCase()
  const isNumber = typed.replace(/[\s.,'’]/g, '') === String('losses' in toType ? toType.losses : toType.changed)
  return isNumber || (!('losses' in toType) && typed !== '' && typed === store.trim().toLowerCase())
}
