/**
 * The one round trip of an endpoint's object to the database of its store. In one transaction, the object says where it is
 * and reads what is next:
 *   1. disable the endpoint, with its event, if the object has found it gone or failing for three days
 *   2. write down what the object reports of itself
 *   3. select the endpoint, the events after those that the object has read, and the events of deliveries that are due
 * A round trip that finds nothing has thereby recorded that the object has caught up, so there is no moment in which an event
 * is committed and neither the object nor the every-minute job knows of it.
 */
import { and, asc, eq, getTableColumns, gt, inArray, isNull, lt, max, min, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../../db/batch.ts'
import { idIn, isOfStore, NO_NUMBER, storeIn } from '../../../db/ids.ts'
import { events, webhook_endpoints, type WebhookEndpoint } from '../../../db/schema/stores.ts'
import { limitOf, named, orm, params, statement, hasWord } from '../../../db/statement.ts'
import { contextParams, serviceContext } from '../../../change/request.ts'
import { selectEndpointsToWake } from '../../../change/commit.ts'
import { eventColumns, isEventOfThisAttempt, newestEventOf } from '../../../change/event.ts'
import { type EventRecord, selectEvents } from '../../events/feed.ts'

/** What the object reports of itself: the second half of the columns of its endpoint. */
const REPORTED = [
  'cursor',
  'failing_since',
  'last_status',
  'is_down',
  'next_attempt_at',
  'pending',
  'oldest_pending_at',
] as const

export type Report = Pick<WebhookEndpoint, (typeof REPORTED)[number]>

interface ReportRequest {
  endpoint_id: number
  /** Undefined for an object that has not read its endpoint since it started. */
  report: Report | undefined
  /** The endpoint as it was read, or as it is after the report that nobody has confirmed. */
  seen: Pick<WebhookEndpoint, 'resumed_by' | 'cursor'> | undefined
  disables: boolean
  /** The last event that was read before. Undefined: the cursor of the endpoint. */
  readTo: number | undefined
  /** How many events are searched for those that the endpoint asks for. */
  window: number
  due: readonly number[]
}

interface ReadState {
  /** Undefined if the endpoint is deleted. */
  endpoint: WebhookEndpoint | undefined
  /** The next events that the endpoint asks for. None if it is disabled. */
  next: EventRecord[]
  /** The last event that was searched; null if there was none. */
  readTo: number | null
  /** The events of `due` that still exist. */
  due: EventRecord[]
  /** The store's oldest event: deliveries before it are purged as their events were. */
  oldest: number
  /** If the endpoint was disabled, the other endpoints of its store: there is an event for them. */
  endpointsToWake: number[]
}

export async function reportAndRead(db: Db, request: ReportRequest): Promise<ReadState> {
  const { endpoint_id, report, seen, disables, readTo, window, due } = request
  const values = { endpoint_id, read_to: readTo ?? null, window }
  const seenValues = { endpoint_id, seen_resumption: seen?.resumed_by ?? null, seen_cursor: seen?.cursor ?? null }
  const rows = await batch(
    db,
    {
      disabledEvent: disables ? insertDisabledEvent(seenValues) : undefined,
      disable: disables ? disableEndpoint({}) : undefined,
      report: report && updateReport({ ...seenValues, ...report }),
      endpoint: selectEndpoint({ endpoint_id }),
      next: window > 0 ? selectNext(values) : undefined,
      end: window > 0 ? selectEnd(values) : undefined,
      due: due.length > 0 ? selectDue({ due: JSON.stringify(due) }) : undefined,
    },
    // Sent again, it finds the endpoint disabled and the report written, and reads the same events or more.
    { retry: 'idempotent', shared: serviceContext(endpoint_id, Date.now()) },
  )
  const [endpoint] = rows.endpoint
  return {
    endpoint,
    next: rows.next,
    readTo: rows.end[0]?.read_to ?? null,
    due: rows.due,
    oldest: endpoint?.oldest ?? 0,
    endpointsToWake: disables && endpoint?.disabled_at != null ? JSON.parse(endpoint.others) : [],
  }
}

const endpointParams = params('endpoint_id')

const isEndpoint = eq(webhook_endpoints.id, endpointParams.endpoint_id)

const seenParams = { ...endpointParams, ...params('seen_resumption', 'seen_cursor') }

/**
 * False if a request has resumed delivery since, so that what the object knows of the endpoint's health is out of date, or
 * if the database was restored to an earlier moment, so that what it has read no longer exists.
 */
const isUpToDate = and(
  eq(webhook_endpoints.resumed_by, seenParams.seen_resumption),
  eq(webhook_endpoints.cursor, seenParams.seen_cursor),
)

const insertDisabledEvent = statement(seenParams, () => {
  const columns = eventColumns({
    id: sql`${newestEventOf(storeIn(endpointParams.endpoint_id))} + 1`,
    type: 'webhook_endpoint.disabled',
    // The service itself.
    actor_id: null,
    subject_id: webhook_endpoints.id,
    previous_id: webhook_endpoints.event_id,
  })
  return orm.insert(events).select(
    orm
      .select(columns)
      .from(webhook_endpoints)
      .where(and(isEndpoint, isUpToDate, isNull(webhook_endpoints.disabled_at))),
  )
})

const disableEndpoint = statement({}, () =>
  orm
    .update(webhook_endpoints)
    .set({ disabled_at: contextParams.now, event_id: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(webhook_endpoints.id, events.subject_id))),
)

const reported = params(...REPORTED)

/** It writes no row if the report says nothing new. */
const updateReport = statement({ ...seenParams, ...reported }, () => {
  const differs = or(...REPORTED.map((name) => sql`${webhook_endpoints[name]} is not ${reported[name]}`))
  return orm
    .update(webhook_endpoints)
    .set(reported)
    .where(and(isEndpoint, isUpToDate, differs))
})

const selectEndpoint = statement(endpointParams, () => {
  const store = storeIn(webhook_endpoints.id)
  const oldest = orm
    .select({ id: min(events.id) })
    .from(events)
    .where(isOfStore(events.id, store))
  return orm
    .select(
      named({
        ...getTableColumns(webhook_endpoints),
        oldest: sql<number>`${oldest}`,
        others: sql<string>`${selectEndpointsToWake(storeIn(endpointParams.endpoint_id))}`,
      }),
    )
    .from(webhook_endpoints)
    .where(isEndpoint)
})

const windowParams = { ...endpointParams, ...params('read_to', 'window') }

/** The events after those that were read, of any type. */
function searched() {
  const { id, cursor, disabled_at } = webhook_endpoints
  const start = sql`coalesce(${windowParams.read_to}, ${cursor})`
  return orm
    .select({ id: events.id, type: events.type, types: webhook_endpoints.types })
    .from(webhook_endpoints)
    .innerJoin(events, and(gt(events.id, start), lt(events.id, idIn(storeIn(id), NO_NUMBER))))
    .where(and(isEndpoint, isNull(disabled_at)))
    .orderBy(asc(events.id))
    .limit(limitOf(windowParams.window))
    .as('searched')
}

const selectNext = statement(windowParams, () => {
  const window = searched()
  const asked = orm
    .select({ id: window.id })
    .from(window)
    .where(or(isNull(window.types), hasWord(window.types, window.type)))
  return selectEvents().where(inArray(events.id, asked)).orderBy(asc(events.id))
})

const selectEnd = statement(windowParams, () => {
  const window = searched()
  return orm.select({ read_to: max(window.id).as('read_to') }).from(window)
})

const dueParams = params('due')

const selectDue = statement(dueParams, () =>
  selectEvents().where(inArray(events.id, sql`(select value from json_each(${dueParams.due}))`)),
)
