/**
 * Creates a store, like src/change/create-record.ts creates a record. The event `store.created` is the first one of the new
 * store, which gets its number here.
 */
import { and, eq, getTableColumns, isNotNull, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams, type Db } from '../../db/batch.ts'
import { LAST_SHARED_STORE } from '../../db/database.ts'
import { idIn, storeIn } from '../../db/ids.ts'
import { directory } from '../../db/schema/jobs.ts'
import { events, type Store, stores } from '../../db/schema/stores.ts'
import { columnsOf, orm, params, statement, withJoins } from '../../db/statement.ts'
import { EXPIRY_NOTICE_DAYS } from '../../limits.ts'
import { eventColumns, isFromLaterAttempt, laterAttempt, superseded } from '../../change/event.ts'
import {
  authorization,
  contextParams,
  noneHolds,
  type RequestContext,
  type RequestFields,
  rule,
  selectFromRequest,
} from '../../change/request.ts'
import { commit, requireRecord, resultOf } from '../../change/commit.ts'
import { upsertZone, zoneParams, zoneValues } from '../time-zones/zone-rows.ts'

/** The random part of a generated store id, in characters of 4 bits. */
const STORE_ID_CHARACTERS = 12

interface NewStore {
  slug: string
  name: string
  language: string
  time_zone: string
}

/** Throws `store_exists`. */
export async function createStore(db: Db, context: RequestContext, store: NewStore): Promise<Store> {
  const values = { ...store, ...zoneValues(store.time_zone) }
  const { result } = await commit(db, context, {
    event: insertCreatedEvent(values),
    zone: insertZone(values),
    store: insertStore(values),
    result: selectCreated(values),
  })
  return requireRecord<Store>(result)
}

/** For a store that is created without an id. */
export function randomSlug(): string {
  return `store-${crypto.randomUUID().slice(-STORE_ID_CHARACTERS)}`
}

const storeParams = params('slug', 'name', 'language', 'time_zone')

const createParams = { ...storeParams, ...zoneParams }

/** The event that created the store with this slug. */
const creation = alias(events, 'creation')

/**
 * The rules of every change search the store's newest events for the event of an earlier attempt. A new store has none
 * before its first event, so this request finds its event by the slug.
 */
const createRules = [
  rule('applied', eq(creation.request_id, contextParams.request_id)),
  superseded,
  ...authorization,
  rule('store_exists', or(isNotNull(stores.id), isNotNull(directory.number))),
]

/** One row: the request with the store that has the slug already, here or in a database of its own. */
function selectCreateRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(
    selectFromRequest(fields),
    [stores, eq(stores.slug, createParams.slug)],
    [directory, eq(directory.slug, createParams.slug)],
    [creation, eq(creation.id, stores.id)],
    [laterAttempt, isFromLaterAttempt],
  )
}

const newStoreNumber = sql`(select coalesce(${storeIn(sql`max(${stores.id})`)}, 0) + 1 from ${stores})`

/** The first event of a store, which is also the id of its row. */
const newStoreId = idIn(newStoreNumber, 1)

const insertCreatedEvent = statement(createParams, () =>
  orm.insert(events).select(
    selectCreateRequest(
      eventColumns({
        id: newStoreId,
        type: 'store.created',
        actor_id: contextParams.caller,
        subject_id: newStoreId,
      }),
    ).where(and(noneHolds(createRules), lte(newStoreNumber, sql`${LAST_SHARED_STORE}`))),
  ),
)

/** The new store has the highest number, so the event of this attempt is the newest of all stores. */
const isCreationByThisAttempt = and(
  eq(events.id, sql`(select max(${events.id}) from ${events})`),
  eq(events.request_id, contextParams.request_id),
  eq(events.attempt, attemptParams.attempt),
)

const insertZone = statement(createParams, () => upsertZone(events, isCreationByThisAttempt))

const insertStore = statement(createParams, () =>
  orm.insert(stores).select(
    orm
      .select(
        columnsOf(stores, {
          ...storeParams,
          id: events.id,
          suspended_at: null,
          expiry_notice_days: EXPIRY_NOTICE_DAYS,
          location: null,
          created_at: contextParams.now,
          event_id: events.id,
        }),
      )
      .from(events)
      .where(isCreationByThisAttempt),
  ),
)

const selectCreated = statement(createParams, () =>
  selectCreateRequest({ ...resultOf(createRules), ...getTableColumns(stores) }),
)
