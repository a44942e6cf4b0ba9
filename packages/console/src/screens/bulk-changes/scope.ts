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

/** How many accesses end earlier, get a limit or are closed, if that many must be typed. */
export function lossesToConfirm({ earlier, limited, closed }: BulkChange['effects']): number | undefined {
  const losses = earlier + limited + closed
  return losses > MAX_UNCONFIRMED_LOSSES ? losses : undefined
}

/** True if the change is so large that the operator must type how large it is, or the name of the store. */
export function needsConfirmation(filter: NewBulkChange['filter'], changed: number): boolean {
  return Object.keys(filter).length === 0 || changed > MAX_UNCONFIRMED
}

/** Whether the text is the number, with or without separators, or the name of the store unless that is empty. */
export function isConfirmation(text: string, changed: number, store: string): boolean {
  const typed = text.trim().toLowerCase()
  return (typed !== '' && typed === store.trim().toLowerCase()) || typed.replace(/[\s.,'’]/g, '') === String(changed)
}
