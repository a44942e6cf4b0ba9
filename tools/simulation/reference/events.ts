/** The feed of events and the histories of records (contract, section 10). */
import { isDeepStrictEqual } from 'node:util'
import { type Row, toRow, toRows } from '../rows.ts'
import { isOrphaned, reach } from './bulk-changes.ts'
import { order, PAGE, page } from './lists.ts'
import { type Call, invalid, notFound, type Operation, type Outcome } from './operation.ts'
import { iso, type SentEvent, type State } from './state.ts'
import * as values from './values.ts'

/** What the service does by itself. When it does so is checked by scenarios. */
const OWN = /\.(expiring|expired|disabled|enabled|finished)$/
const isOfBulkChange = ({ type, data }: Row) =>
  type === 'product_access.updated' && toRow(data)['bulk_change_id'] !== undefined
/** The end of a bulk change whose token was revoked, or whose store was suspended. */
const isCancellation = ({ type, actor }: Row) => type === 'bulk_change.canceled' && toRow(actor)['type'] === 'system'
export const isOwn = (event: Row) => OWN.test(String(event['type'])) || isCancellation(event) || isOfBulkChange(event)

/** An event as /admin shows it. */
function toJson(slug: string | null, { type, data, at, requestId, actor }: SentEvent, id: unknown): Row {
  return { id, type, timestamp: iso(at), store_id: slug, request_id: requestId, actor, data }
}

/** The event as it is shown, if it is the expected one. It may have more fields, and name changed fields in any order. */
function takeOver(expected: Row, shown: Row): Row {
  const [data, own] = [toRow(shown['data']), toRow(expected['data'])]
  const sorted = (fields: unknown) => (Array.isArray(fields) ? fields.map(String).toSorted() : fields)
  const hasFields = 'fields' in own && isDeepStrictEqual(sorted(data['fields']), sorted(own['fields']))
  const merged = {
    ...shown,
    ...expected,
    actor: { ...toRow(shown['actor']), ...toRow(expected['actor']) },
    data: { ...data, ...own, ...(hasFields && { fields: data['fields'] }) },
  }
  return isDeepStrictEqual(merged, shown) ? shown : merged
}

/** Notes the events that a page of the whole feed shows for the first time. Their ids have no gap. */
function note(state: State, shown: Row[]): void {
  for (const event of shown) {
    const id = state.feed.length + 1
    if (Number(event['id']) < id) continue
    if (Number(event['id']) > id) return
    if (isCancellation(event) && !mayBeCanceled(state, event)) return
    if (OWN.test(String(event['type'])) || isCancellation(event)) {
      state.feed.push(event)
      continue
    }
    const next = isOfBulkChange(event) ? reach(state, event) : state.events.shift()
    if (!next) return
    state.feed.push(takeOver(toJson(state.slug, next, String(id)), event))
  }
}

/** Nobody but the service ends what a token has begun that may change nothing more. */
function mayBeCanceled(state: State, { data }: Row): boolean {
  const bulk = state.bulkChanges.get(String(toRow(data)['bulk_change_id']))
  return bulk !== undefined && isOrphaned(state, bulk)
}

/** The events that are kept, those that no page has shown yet too. */
function eventsOf(state: State): Row[] {
  const { slug, feed, events, oldest } = state
  return [...feed, ...events.map((event, i) => toJson(slug, event, String(feed.length + 1 + i)))].slice(oldest - 1)
}

/** Operators see who of them made a change, and integrators do not. */
function asSeenBy({ token }: Call['caller'], event: Row): Row {
  const { type, id, ...actor } = toRow(event['actor'])
  const isHidden = token !== undefined && type === 'operator' && id !== null
  return isHidden ? { ...event, actor: { ...actor, type, id, name: undefined } } : event
}

/** True for the events that a filter of the feed finds. */
function matches({ type, data, timestamp, actor }: Row, { since, until, ...filter }: Call['query']): boolean {
  const { user_id, product_access_id } = toRow(data)
  const shown: Row = { type, user_id, product_access_id, actor: nameOf(toRow(actor)) }
  const at = Date.parse(String(timestamp))
  return (
    Object.entries(filter).every(([name, value]) => shown[name] === value) &&
    at >= (values.parseDateTime(since) ?? -Infinity) &&
    at < (values.parseDateTime(until) ?? Infinity)
  )
}

/** An actor as a filter names it. */
function nameOf({ type, id }: Row): string {
  if (type === 'operator' && id === null) return 'root'
  return typeof id === 'string' ? `${String(type)}:${id}` : String(type)
}

/** The last event before a time: nobody says which one that is, but it is none that is not read yet. */
function cursorBefore({ query: { after = '0' }, drawn }: Call, newest: number, last: Row | undefined): unknown {
  const { cursor } = drawn.json
  const least = Math.max(Number(after), Number(last?.['id'] ?? 0))
  if (cursor === null) return least === 0 ? null : String(least)
  return Number(cursor) >= least && Number(cursor) <= newest ? cursor : `an id from ${least} to ${newest}`
}

function readFeed(state: State, call: Call): Outcome {
  const { order: asked, limit: _, after, ...filter } = call.query
  const isReversed = asked === 'desc'
  const isWhole = Object.keys(filter).length === 0 && !isReversed
  const { data, next } = call.drawn.json
  if (isWhole) note(state, toRows(data))
  const newest = state.feed.length + state.events.length
  if (Number(after) > newest) return invalid('after')
  if (!isReversed && Number(after) < state.oldest - 1) return { status: 410, code: 'cursor_expired', fields: ['after'] }
  const rows = eventsOf(state).filter((event) => matches(event, filter))
  const read = page(() => rows.map((event) => asSeenBy(call.caller, event)), { mayBeShort: true })
  const { body, ...outcome } = read(state, call)
  // A client that follows the feed continues from there, at its end too.
  const end = filter['until'] === undefined ? String(newest) : cursorBefore(call, newest, toRows(body?.['data']).at(-1))
  const cursor = isReversed ? undefined : (next ?? end)
  return { ...outcome, ...(body && { body: { ...body, cursor } }) }
}

/** The events of one record, newest first. An event of another record is no cursor. */
function history(exists: (state: State, id: string) => boolean, isOf: (event: Row, id: string) => boolean) {
  const read = page(
    (state, { id, caller }) =>
      eventsOf(state)
        .filter((event) => isOf(event, id))
        .map((event) => asSeenBy(caller, event)),
    { usual: 'desc' },
  )
  return (state: State, call: Call): Outcome => {
    const { after } = call.query
    if (!exists(state, call.id)) return notFound
    const cursor = after === undefined ? undefined : eventsOf(state).find(({ id }) => id === after)
    const isElsewhere = after !== undefined && !(cursor && isOf(cursor, call.id))
    return isElsewhere ? { status: 200, body: { data: [], next: null } } : read(state, call)
  }
}

/** Others may write events of operators, too. */
function readOperatorEvents(state: State, { drawn }: Call): Outcome {
  const known = new Map(state.operatorEvents.map((event) => [event.requestId, event]))
  const data = toRows(drawn.json['data']).map((row) => {
    const event = known.get(String(row['request_id']))
    return event ? takeOver(toJson(null, event, row['id']), row) : row
  })
  return { status: 200, body: { data, next: drawn.json['next'] ?? null } }
}

const KINDS: Record<string, string> = {
  user: 'created updated erased',
  product_access: 'granted updated progressed expiring expired',
  access_token: 'created updated rotated revoked',
  store: 'created updated restored',
  product: 'created updated deleted',
  custom_field: 'created updated deleted',
  webhook_endpoint: 'created updated deleted disabled enabled',
  bulk_change: 'created canceled finished',
  operator: 'created updated revoked',
}
const TYPES = Object.entries(KINDS).flatMap(([subject, names]) => names.split(' ').map((name) => `${subject}.${name}`))

const FEED = {
  type: values.ifSent(values.oneOf(TYPES)),
  user_id: values.ifSent(values.recordId),
  product_access_id: values.ifSent(values.recordId),
  actor: values.ifSent(
    values.rule((value) => /^(system|root|(operator|access_token):[1-9]\d{0,15})$/.test(String(value))),
  ),
  since: values.ifSent(values.dateTime),
  until: values.ifSent(values.dateTime),
  order: values.ifSent(order),
  ...PAGE,
}
const READ = { scope: 'events:read', role: 'viewer' } as const

export const EVENT_OPERATIONS: Record<string, Operation> = {
  'GET /events': { ...READ, query: FEED, perform: readFeed },
  'GET /users/{id}/events': {
    ...READ,
    query: PAGE,
    perform: history(
      ({ users }, id) => users.has(id),
      ({ type, data }, id) => String(type).startsWith('user.') && toRow(data)['user_id'] === id,
    ),
  },
  'GET /product_accesses/{id}/events': {
    ...READ,
    query: PAGE,
    perform: history(
      ({ accesses }, id) => accesses.has(id),
      ({ data }, id) => toRow(data)['product_access_id'] === id,
    ),
  },
  'GET /admin/events': { role: 'viewer', query: FEED, perform: readOperatorEvents },
}
