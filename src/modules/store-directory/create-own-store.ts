/**
 * Creates a store in a database of its own, in three steps (the first and the last are in
 * src/modules/store-directory/directory-entry.ts):
 *   1. A row of the directory, in the shared database, gives out the number and has everything that the store needs.
 *   2. The first batch in the store's object inserts the operator who creates the store, the event `store.created` and the
 *      store, unless the object has a store.
 *   3. The row of the directory is marked as complete.
 * If the request ends in between, the next request of an operator for the store goes on with the row
 * (src/modules/store-directory/locate-store.ts), and so does the same POST if it names the store. Each step can be repeated.
 */
import { notExists, sql } from 'drizzle-orm'
import { batch, type Db, runParams } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { events, type Store, stores } from '../../db/schema/stores.ts'
import { columnsOf, lazySql, orm, params, statement } from '../../db/statement.ts'
import { EXPIRY_NOTICE_DAYS } from '../../limits.ts'
import { OWN_STORE } from './limits.ts'
import type { RequestContext } from '../../change/request.ts'
import { requireRow } from '../../change/errors.ts'
import { completeEntry, type Entry, insertEntry, type NewOwnStore, takeNextNumber } from './directory-entry.ts'
import { copyParams, upsertIf } from './operator-copy.ts'
import { eventColumns } from '../../change/event.ts'
import { upsertZone, zoneParams, zoneValues } from '../time-zones/zone-rows.ts'

/** Opens the databases that a store may be in. */
export interface StoreDbs {
  /** The shared one. */
  shared: Db
  /** That of the store with this number. A location counts only for an object that was never called before. */
  open: (number: number, location: string | null) => Db
}

/** Throws `store_exists`. */
export async function createOwnStore(dbs: StoreDbs, context: RequestContext, store: NewOwnStore): Promise<Store> {
  return completeStore(dbs, await insertEntry(dbs.shared, context, store))
}

/** Creates the store of the row in its own database, unless it exists, and returns it. */
export async function completeStore({ shared, open }: StoreDbs, entry: Entry): Promise<Store> {
  let { number } = entry
  for (let tried = 0; tried < OWN_STORE.triedNumbers; tried++) {
    const store = await createIn(open(number, entry.location), { ...entry, number })
    if (store.slug === entry.slug && store.created_at === entry.created_at) {
      await completeEntry(shared, { ...entry, number })
      return store
    }
    number = await takeNextNumber(shared, { ...entry, number })
  }
  throw new Error(`no free number after ${entry.number}`)
}

/** The shared parameters `request_id` and `now` are those of the request that inserted the row of the directory. */
const storeParams = params('number', 'slug', 'name', 'language', 'time_zone', 'location', 'actor_id')

const newStoreId = idIn(storeParams.number, 1)

const hasNoStore = lazySql(() => notExists(orm.select({ id: stores.id }).from(stores)))

const insertCreator = statement(copyParams, () => upsertIf(hasNoStore))

const insertCreatedEvent = statement(storeParams, () =>
  orm.insert(events).select(
    orm
      .select(
        eventColumns({
          id: newStoreId,
          type: 'store.created',
          actor_id: storeParams.actor_id,
          subject_id: newStoreId,
        }),
      )
      .from(sql`(select 1)`)
      .where(hasNoStore),
  ),
)

const insertZone = statement(zoneParams, () => upsertZone(sql`(select 1)`, hasNoStore))

const insertStore = statement(storeParams, () =>
  orm.insert(stores).select(
    orm
      .select(
        columnsOf(stores, {
          ...storeParams,
          id: newStoreId,
          suspended_at: null,
          expiry_notice_days: EXPIRY_NOTICE_DAYS,
          created_at: runParams.now,
          event_id: newStoreId,
        }),
      )
      .from(sql`(select 1)`)
      .where(hasNoStore),
  ),
)

const selectStore = statement({}, () => orm.select().from(stores))

/** The store that the database has now: after a restore of the directory, it may have another one already. */
async function createIn(db: Db, entry: Entry): Promise<Store> {
  const { number, slug, name, language, time_zone, location, request_id, actor_id, created_at, creator } = entry
  const values = { number, slug, name, language, time_zone, location, actor_id }
  const steps = {
    creator: insertCreator({ operator: creator }),
    event: insertCreatedEvent(values),
    zone: insertZone(zoneValues(time_zone)),
    // After the others, which write nothing if there is a store.
    store: insertStore(values),
    found: selectStore({}),
  }
  const { found } = await batch(db, steps, { retry: 'idempotent', shared: { request_id, now: created_at } })
  return requireRow(found)
}
