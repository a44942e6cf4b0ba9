import * as z from 'zod'
import { formatDateTime } from '../date-time.ts'
import { EVENT_TYPES, type EventRecord } from '../domain/events.ts'
import { parseExactly } from '../json.ts'
import { id, oneOf, pageQuery } from './fields.ts'

export const listEventsQuery = z.object({
  type: oneOf(EVENT_TYPES).optional(),
  user_id: id.optional(),
  product_access_id: id.optional(),
  ...pageQuery(id).shape,
})

type StoredChanges = Record<string, { from: string | number | null; to: string | number | null }>

/** Ids and what changed, never what a person wrote about themselves. The body of a webhook, too. */
export function toEvent(row: EventRecord) {
  return {
    id: String(row.id),
    type: row.type,
    timestamp: formatDateTime(row.created_at),
    store_id: row.store_id,
    request_id: row.request_id,
    actor: toActor(row),
    data: {
      user_id: toId(row.user_id),
      product_id: toId(row.product_id),
      product_access_id: toId(row.product_access_id),
      access_token_id: toId(row.access_token_id),
      webhook_endpoint_id: toId(row.webhook_endpoint_id),
      changes: row.changes === null ? undefined : toChanges(row.changes),
    },
  }
}

function toActor({ token_id, token_name, request_id }: EventRecord) {
  if (token_id !== null) return { type: 'access_token', id: String(token_id), name: token_name }
  return { type: request_id === null ? 'system' : 'operator' }
}

function toId(id: number | null): string | undefined {
  return id === null ? undefined : String(id)
}

function toChanges(json: string) {
  const changes: StoredChanges = JSON.parse(json)
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      field,
      { from: toValue(field, from), to: toValue(field, to) },
    ]),
  )
}

/** A column's value as the access shows it. */
function toValue(field: string, value: string | number | null): unknown {
  if (value === null) return null
  if (field === 'access_due_date' || field === 'started_at' || field === 'completed_at')
    return formatDateTime(Number(value))
  if (field === 'passed') return value === 1
  return field === 'grade' ? parseExactly(String(value)) : value
}
