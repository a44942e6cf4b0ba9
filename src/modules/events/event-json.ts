import * as z from 'zod/mini'
import { isOperator, type Reader, ROOT } from '../../change/request.ts'
import { formatDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import { EVENT_TYPES, type EventDetails, EVENTS } from '../../change/event-types.ts'
import type { ActorFilter } from './feed-conditions.ts'
import type { EventPage, EventRecord } from './feed.ts'
import { lazy } from '../../lib/lazy.ts'
import { dateTimeText, oneOf, parseNumber, readAs, recordId, textWhere } from '../../formats/values.ts'
import { listQuery, toPage, listOrder } from '../../formats/pages.ts'

const ACTOR = /^(?:(system|root)|(operator|access_token):([1-9]\d{0,15}))$/

const actorFilter = lazy(() =>
  readAs(
    textWhere(
      (text) => parseActor(text) !== undefined,
      'must be system, root, operator:{id} or access_token:{id}',
    ).check(z.meta({ pattern: ACTOR.source, example: 'access_token:3' })),
    (text) => parseActor(text),
  ),
)

function parseActor(text: string): ActorFilter | undefined {
  const [, own, type, id = ''] = ACTOR.exec(text) ?? []
  if (own === 'system' || own === 'root') return { type: own }
  const number = parseNumber(id)
  return (type === 'operator' || type === 'access_token') && number !== undefined ? { type, number } : undefined
}

export const listEventsQuery = lazy(() =>
  z.object({
    type: z.optional(oneOf(EVENT_TYPES)),
    user_id: z.optional(recordId()),
    product_access_id: z.optional(recordId()),
    actor: z.optional(actorFilter()),
    since: z.optional(dateTimeText()),
    until: z.optional(dateTimeText()),
    order: listOrder(),
    ...listQuery().shape,
  }),
)

/** A client that follows the feed continues from `cursor`, which is present on the last page too. */
export function toEventPage(page: EventPage, reader: Reader) {
  return { ...toPage(page, (row) => toEvent(row, reader)), cursor: page.cursor }
}

/** The newest event of the feed, whatever the filter. A client that needs only future events starts after it. */
export function newestHeader({ newest }: EventPage): Record<string, string> {
  return newest === null ? {} : { 'X-Newest-Id': newest }
}

type Stored = string | number | null

/** What the column `data` holds. The keys of `changes` are names of columns. */
interface StoredData {
  changes?: Record<string, { from: Stored; to: Stored }>
  fields?: string[]
  custom_field_key?: string
  /** The bulk change that has changed the access. */
  bulk_change_id?: number
}

/** An event as the feed and webhooks show it: ids and what has changed, never what people entered about themselves. */
export function toEvent(row: EventRecord, reader: Reader) {
  const { subject, shows } = EVENTS[row.type]
  const stored: StoredData = JSON.parse(row.data ?? '{}')
  return {
    id: idOf(row.id),
    timestamp: formatDateTime(row.created_at),
    store_id: row.store_slug,
    request_id: toRequestId(row),
    actor: toActor(row, reader),
    type: row.type,
    data: { ...EVENT_IDS[subject](row, stored), ...toDetails(shows, stored) },
  }
}

/** The ids that an event shows, by the kind of record that it is about. */
export const EVENT_IDS = {
  user: ({ subject_id }: EventRecord) => ({ user_id: idOf(subject_id) }),
  product_access: ({ user_id, product_id, subject_id }: EventRecord) => ({
    user_id: idOf(user_id ?? 0),
    product_id: idOf(product_id ?? 0),
    product_access_id: idOf(subject_id),
  }),
  bulk_change: ({ subject_id }: EventRecord) => ({ bulk_change_id: idOf(subject_id) }),
  access_token: ({ subject_id }: EventRecord) => ({ access_token_id: idOf(subject_id) }),
  store: ({ store_slug }: EventRecord) => ({ store_id: store_slug }),
  product: ({ subject_id }: EventRecord) => ({ product_id: idOf(subject_id) }),
  custom_field: (_row: EventRecord, { custom_field_key = '' }: StoredData) => ({ custom_field_key }),
  webhook_endpoint: ({ subject_id }: EventRecord) => ({ webhook_endpoint_id: idOf(subject_id) }),
  operator: ({ subject_id }: EventRecord) => ({ operator_id: idOf(subject_id) }),
}

function idOf(id: number): string {
  return String(numberOf(id))
}

function toDetails(shows: EventDetails, { changes = {}, fields = [], bulk_change_id }: StoredData) {
  if (shows === 'ids') return {}
  if (shows === 'changes') {
    const isOfBulkChange = bulk_change_id !== undefined
    return { changes: toChanges(changes), ...(isOfBulkChange && { bulk_change_id: String(bulk_change_id) }) }
  }
  if (shows === 'fields') return { fields }
  const [hasFields, hasChanges] = [fields.length > 0, Object.keys(changes).length > 0]
  if (hasFields && hasChanges) return { fields, changes: toChanges(changes) }
  if (hasFields) return { fields }
  return hasChanges ? { changes: toChanges(changes) } : {}
}

/**
 * The stored id of a request that made several changes ends in the index of the change. A job's run is not a request, so its
 * id is not shown.
 */
function toRequestId({ request_id, actor_id }: EventRecord): string | null {
  return actor_id === null ? null : request_id.replace(/(?:\/\d+)+$/, '')
}

export function toActor({ actor_id, actor_name }: Pick<EventRecord, 'actor_id' | 'actor_name'>, reader: Reader) {
  if (actor_id === null) return { type: 'system' as const }
  if (actor_id === ROOT) return { type: 'operator' as const, id: null, name: 'root' }
  const [id, name] = [idOf(actor_id), actor_name ?? '']
  if (!isOperator(actor_id)) return { type: 'access_token' as const, id, name }
  return { type: 'operator' as const, id, ...(reader === 'operator' && { name }) }
}

/** Values as the resource shows them. The time of a suspension is shown as whether the store is suspended. */
function toChanges(changes: NonNullable<StoredData['changes']>) {
  return Object.fromEntries(
    Object.entries(changes).map(([column, { from, to }]) => [
      column === 'suspended_at' ? 'suspended' : column,
      { from: toValue(column, from), to: toValue(column, to) },
    ]),
  )
}

function toValue(column: string, value: Stored) {
  if (column === 'suspended_at') return value !== null
  if (value === null) return null
  if (column === 'access_due_date' || column === 'expires_at') return formatDateTime(Number(value))
  return column === 'scopes' || column === 'types' ? String(value).split(' ') : value
}
