/** Folds events that belong together, newest first, so that a timeline shows decisions rather than rows. */

interface Foldable {
  id: string
  type: string
  request_id: string | null
  data: object
}

export interface EventGroup<E> {
  kind: 'single' | 'request' | 'progress' | 'bulk_change'
  /** The newest event. */
  first: E
  rest: E[]
  /** Set for a bulk change. */
  bulkChange?: string
}

/** The same for a log that shows every event, except those of a bulk change: there may be thousands in a row. */
export function foldBulkChanges<E extends Foldable>(events: readonly E[]): EventGroup<E>[] {
  return fold(events, (newer, older) => (kindOfPair(newer, older) === 'bulk_change' ? 'bulk_change' : undefined))
}

/** Only neighbors are folded: what happened in between stays where it was. */
export function foldEvents<E extends Foldable>(events: readonly E[]): EventGroup<E>[] {
  return fold(events, kindOfPair)
}

function fold<E extends Foldable>(events: readonly E[], kindOf: typeof kindOfPair): EventGroup<E>[] {
  const groups: EventGroup<E>[] = []
  for (const event of events) {
    const last = groups.at(-1)
    const kind = last && kindOf(last.first, event)
    if (last && kind !== undefined && (last.kind === kind || last.rest.length === 0)) {
      last.kind = kind
      last.rest.push(event)
    } else groups.push(groupOf(event))
  }
  return groups
}

/** An access that a bulk change has changed is one line with a link, even if the page has only one such event. */
function groupOf<E extends Foldable>(event: E): EventGroup<E> {
  const bulkChange = bulkChangeOf(event)
  if (bulkChange === undefined) return { kind: 'single', first: event, rest: [] }
  return { kind: 'bulk_change', first: event, rest: [], bulkChange }
}

function kindOfPair(newer: Foldable, older: Foldable): EventGroup<never>['kind'] | undefined {
  const bulkChange = bulkChangeOf(newer)
  if (bulkChange !== bulkChangeOf(older)) return undefined
  if (bulkChange !== undefined) return 'bulk_change'
  const access = progressedAccessOf(newer)
  if (access !== undefined && access === progressedAccessOf(older)) return 'progress'
  return newer.request_id !== null && newer.request_id === older.request_id ? 'request' : undefined
}

/** The bulk change that caused a change of an access. The events of the bulk change itself are not meant. */
function bulkChangeOf({ type, data }: Foldable): string | undefined {
  return type.startsWith('product_access.') && 'bulk_change_id' in data ? String(data.bulk_change_id) : undefined
}

function progressedAccessOf({ type, data }: Foldable): string | undefined {
  return type === 'product_access.progressed' && 'product_access_id' in data
    ? String(data.product_access_id)
    : undefined
}
