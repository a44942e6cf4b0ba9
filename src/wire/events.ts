import * as z from 'zod/mini'
import { formatDateTime } from '../date-time.ts'
import { numberOf } from '../db/ids.ts'
import { isOperator, ROOT } from '../domain/change/context.ts'
import { EVENT_TYPES } from '../domain/events/event-types.ts'
import type { EventPage, EventRecord } from '../domain/events/feed.ts'
import { lazy } from '../lazy.ts'
import { listQuery, oneOf, recordId } from './fields.ts'
import { toPage } from './pages.ts'

export const listEventsQuery = lazy(() =>
  z.object({
    type: z.optional(oneOf(EVENT_TYPES)),
    user_id: z.optional(recordId()),
    product_access_id: z.optional(recordId()),
    ...listQuery().shape,
  }),
)

/** `cursor` is where a follower goes on, at the end too. */
export function toEventPage(page: EventPage) {
  return { ...toPage(page, toEvent), cursor: page.cursor }
}

/** How far the feed goes, for who wants its end first: the body says how far has been read. */
export function newestHeader({ newest }: EventPage): Record<string, string> {
  return newest === null ? {} : { 'X-Newest-Id': newest }
}

type Stored = string | number | null

/** What the column `data` holds, by the names of columns. */
interface StoredData {
  changes?: Record<string, { from: Stored; to: Stored }>
  fields?: string[]
  custom_field_key?: string
}

/** Ids and what changed, never what a person wrote about themselves. The body of a webhook, too. */
export function toEvent(row: EventRecord) {
  const { type } = row
  const head = {
    id: String(numberOf(row.id)),
    timestamp: formatDateTime(row.created_at),
    store_id: row.store_slug,
    request_id: toRequestId(row),
    actor: toActor(row),
  }
  const subject = String(numberOf(row.subject_id))
  const { changes = {}, fields = [], custom_field_key = '' }: StoredData = JSON.parse(row.data ?? '{}')
  switch (type) {
    case 'user.created':
    case 'user.erased':
      return { ...head, type, data: { user_id: subject } }
    case 'user.updated':
      return { ...head, type, data: { user_id: subject, fields } }
    case 'product_access.granted':
    case 'product_access.expiring':
    case 'product_access.expired':
      return { ...head, type, data: idsOfAccess(row) }
    case 'product_access.updated':
      return { ...head, type, data: { ...idsOfAccess(row), changes: toChanges(changes) } }
    case 'product_access.progressed':
      return { ...head, type, data: { ...idsOfAccess(row), fields } }
    case 'access_token.created':
    case 'access_token.rotated':
    case 'access_token.revoked':
      return { ...head, type, data: { access_token_id: subject } }
    case 'access_token.updated':
      return { ...head, type, data: { access_token_id: subject, changes: toChanges(changes) } }
    case 'store.created':
    case 'store.restored':
      return { ...head, type, data: { store_id: row.store_slug } }
    case 'store.updated':
      return { ...head, type, data: { store_id: row.store_slug, changes: toChanges(changes) } }
    case 'product.created':
    case 'product.deleted':
      return { ...head, type, data: { product_id: subject } }
    case 'product.updated':
      return { ...head, type, data: { product_id: subject, changes: toChanges(changes) } }
    case 'custom_field.created':
    case 'custom_field.deleted':
      return { ...head, type, data: { custom_field_key } }
    case 'custom_field.updated':
      return { ...head, type, data: { custom_field_key, changes: toChanges(changes) } }
    case 'webhook_endpoint.created':
    case 'webhook_endpoint.deleted':
    case 'webhook_endpoint.disabled':
    case 'webhook_endpoint.enabled':
      return { ...head, type, data: { webhook_endpoint_id: subject } }
    case 'webhook_endpoint.updated':
      return { ...head, type, data: { webhook_endpoint_id: subject, changes: toChanges(changes) } }
    default:
      return { ...head, type: type satisfies 'operator.created' | 'operator.revoked', data: { operator_id: subject } }
  }
}

function idsOfAccess({ user_id, product_id, subject_id }: EventRecord) {
  return {
    user_id: String(numberOf(user_id ?? 0)),
    product_id: String(numberOf(product_id ?? 0)),
    product_access_id: String(numberOf(subject_id)),
  }
}

/** Of a request that made several changes each has an index behind it; a job's run is nothing that a caller knows. */
function toRequestId({ request_id, actor_id }: EventRecord): string | null {
  return actor_id === null ? null : request_id.replace(/\/\d+$/, '')
}

function toActor({ actor_id, actor_name }: EventRecord) {
  if (actor_id === null) return { type: 'system' as const }
  if (actor_id === ROOT) return { type: 'operator' as const, id: null, name: 'root' }
  const type = isOperator(actor_id) ? ('operator' as const) : ('access_token' as const)
  return { type, id: String(numberOf(actor_id)), name: actor_name ?? '' }
}

/** Columns as the resource shows them: when a store was suspended is shown as whether it is. */
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
