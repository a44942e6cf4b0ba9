/**
 * Creates a store in a database of its own, in three steps:
 *   1. A row of the directory, in the shared database, gives out the number and has everything that the store needs.
 *   2. The first batch in the store's object inserts the event `store.created` and the store, unless it has one.
 *   3. The row of the directory is marked as complete.
 * If the request ends in between, the next request for the store goes on with the row (operator-database.ts), and so does
 * the same POST. Each step can be repeated.
 */
import { and, between, eq, getTableColumns, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams, batch, type Db, runParams } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { type Jurisdiction, jurisdictionOf, numbersOf } from '../../db/places.ts'
import { directory, type DirectoryRow, events, type Store, stores } from '../../db/schema.ts'
import { columnsOf, deferred, orm, params, type RowOf, statement, withJoins } from '../../db/statement.ts'
import { EXPIRY_NOTICE_DAYS, PLACES } from '../../limits.ts'
import { lazy } from '../../lazy.ts'
import { authorization, type RequestFields, selectFromRequest, touchToken } from '../change/authorize.ts'
import { contextParams, contextValues, type RequestContext } from '../change/context.ts'
import { isFromLaterAttempt, laterAttempt, superseded } from '../change/event.ts'
import { noneHolds, outcomeOf, rule } from '../change/rules.ts'
import { DomainError, requireRow } from '../errors.ts'
import type { EventType } from '../events/event-types.ts'

/** Where the databases are. */
export interface Databases {
  /** The shared one. */
  shared: Db
  /** That of the store with this number. A location counts only for an object that was never called before. */
  open: (number: number, location: string | null) => Db
}

interface NewOwnStore {
  slug: string
  name: string
  language: string
  jurisdiction: Jurisdiction
  location: string | null
}

/** Throws the errors of the authorization and `store_exists`. */
export async function createOwnStore(
  databases: Databases,
  context: RequestContext,
  { jurisdiction, ...store }: NewOwnStore,
): Promise<Store> {
  const { first, last } = numbersOf(jurisdiction)
  const values = { ...store, first, last }
  const { result } = await batch(
    databases.shared,
    { touch: touchToken(context), entry: insertEntry(values), result: selectEntry(values) },
    // The row has the id of its request, so a later attempt finds it.
    { retry: 'own event', shared: contextValues(context) },
  )
  return complete(databases, requireEntry(result))
}

const entryParams = params('slug', 'name', 'language', 'location', 'first', 'last')

/** The same POST, sent again before the store was complete, goes on with the row. */
const isSameStore = () =>
  and(
    isNull(directory.completed_at),
    eq(directory.name, entryParams.name),
    eq(directory.language, entryParams.language),
    sql`${directory.location} is ${entryParams.location}`,
    between(directory.number, entryParams.first, entryParams.last),
  )

const entryRules = lazy(() => [
  rule('applied', eq(directory.request_id, contextParams.request_id)),
  superseded,
  ...authorization,
  rule('unchanged', isSameStore()),
  rule('store_exists', or(isNotNull(stores.id), isNotNull(directory.number))),
])

/** One row: the request with the store that has the slug already. */
function selectEntryRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(
    selectFromRequest(fields),
    [stores, eq(stores.slug, entryParams.slug)],
    [directory, eq(directory.slug, entryParams.slug)],
    [laterAttempt, isFromLaterAttempt],
  )
}

const numberParams = params('first', 'last')

/** The first number after those that are given out. */
const nextNumber = deferred<number>(() => {
  const given = alias(directory, 'given')
  return orm
    .select({ number: sql`coalesce(max(${given.number}) + 1, ${numberParams.first})` })
    .from(given)
    .where(between(given.number, numberParams.first, numberParams.last))
})

const insertEntry = statement(entryParams, () =>
  orm.insert(directory).select(
    selectEntryRequest(
      columnsOf(directory, {
        ...entryParams,
        number: nextNumber,
        suspended_at: null,
        expiry_notice_days: EXPIRY_NOTICE_DAYS,
        created_at: contextParams.now,
        request_id: contextParams.request_id,
        actor_id: contextParams.caller,
        completed_at: null,
        alarm_at: null,
        bytes: 0,
        pending: 0,
        oldest_pending_at: null,
        failing: 0,
        down: 0,
        disabled: 0,
        purge_backlog: 0,
      }),
    ).where(and(noneHolds(entryRules()), lte(nextNumber, entryParams.last))),
  ),
)

const selectEntry = statement(entryParams, () =>
  selectEntryRequest({ outcome: outcomeOf(entryRules()).as('outcome'), ...getTableColumns(directory) }),
)

function requireEntry([row]: RowOf<typeof selectEntry>[]): DirectoryRow {
  if (row === undefined) throw new Error('the creation of a store returned no result')
  const { outcome, number, ...entry } = row
  switch (outcome) {
    case 'applied':
    case 'unchanged':
      return { ...entry, number }
    case 'allowed':
    case 'superseded':
      throw new Error(`the creation of a store ended as ${outcome}`)
    default:
      throw new DomainError(outcome, {})
  }
}

/** Creates the store of the row in its own database, unless it exists, and returns it. */
export async function complete({ shared, open }: Databases, entry: DirectoryRow): Promise<Store> {
  let { number } = entry
  for (let tried = 0; tried < PLACES.triedNumbers; tried++) {
    const store = await createIn(open(number, entry.location), { ...entry, number })
    if (store.slug === entry.slug && store.created_at === entry.created_at) {
      const values = { number, alarm_at: entry.created_at + PLACES.soonMs, completed_at: entry.created_at }
      await batch(shared, { completed: markComplete(values) }, { retry: 'idempotent' })
      return store
    }
    number = await takeNextNumber(shared, { ...entry, number })
  }
  throw new Error(`no free number after ${entry.number}`)
}

/** The shared parameters `request_id` and `now` are those of the request that inserted the row of the directory. */
const storeParams = params('number', 'slug', 'name', 'language', 'location', 'actor_id')

const newStoreId = idIn(storeParams.number, 1)

const hasNoStore = deferred(() => notExists(orm.select({ id: stores.id }).from(stores)))

const insertCreatedEvent = statement(storeParams, () =>
  orm.insert(events).select(
    orm
      .select(
        columnsOf(events, {
          id: newStoreId,
          type: 'store.created' satisfies EventType,
          created_at: runParams.now,
          request_id: runParams.request_id,
          attempt: attemptParams.attempt,
          actor_id: storeParams.actor_id,
          subject_id: newStoreId,
          previous_id: null,
          user_id: null,
          product_id: null,
          data: null,
        }),
      )
      .from(sql`(select 1)`)
      .where(hasNoStore),
  ),
)

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
async function createIn(db: Db, entry: DirectoryRow): Promise<Store> {
  const { number, slug, name, language, location, request_id, actor_id, created_at } = entry
  const values = { number, slug, name, language, location, actor_id }
  const steps = { event: insertCreatedEvent(values), store: insertStore(values), found: selectStore({}) }
  const { found } = await batch(db, steps, { retry: 'idempotent', shared: { request_id, now: created_at } })
  return requireRow(found)
}

const completeParams = params('number', 'completed_at', 'alarm_at')

const markComplete = statement(completeParams, () =>
  orm
    .update(directory)
    .set({ completed_at: completeParams.completed_at, alarm_at: completeParams.alarm_at })
    .where(and(eq(directory.number, completeParams.number), isNull(directory.completed_at))),
)

const renumberParams = { ...numberParams, ...params('number', 'slug') }

const renumber = statement(renumberParams, () =>
  orm
    .update(directory)
    .set({ number: nextNumber })
    .where(
      and(
        eq(directory.number, renumberParams.number),
        eq(directory.slug, renumberParams.slug),
        isNull(directory.completed_at),
        lte(nextNumber, renumberParams.last),
      ),
    ),
)

const selectNumber = statement(renumberParams, () =>
  orm.select({ number: directory.number }).from(directory).where(eq(directory.slug, renumberParams.slug)),
)

/** Gives the row the next number, unless another request has done so already. */
async function takeNextNumber(shared: Db, { number, slug }: DirectoryRow): Promise<number> {
  const values = { number, slug, ...numbersOf(jurisdictionOf(number)) }
  const steps = { renumbered: renumber(values), found: selectNumber(values) }
  // Sent again, it finds another number and changes nothing.
  const { found } = await batch(shared, steps, { retry: 'idempotent' })
  return requireRow(found).number
}
