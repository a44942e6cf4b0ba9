/**
 * The row of the directory from which a store with a database of its own is created
 * (src/modules/store-directory/create-own-store.ts): it gives out the number of the store. Each of these steps can be repeated.
 */
import { and, between, eq, getTableColumns, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { type Jurisdiction, jurisdictionOf, numbersOf } from '../../db/places.ts'
import { directory, type DirectoryRow } from '../../db/schema/jobs.ts'
import { stores } from '../../db/schema/stores.ts'
import { columnsOf, lazySql, orm, params, type RowOf, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { EXPIRY_NOTICE_DAYS } from '../../limits.ts'
import { OWN_STORE } from './limits.ts'
import { insertFencingToken, isFromLaterAttempt, laterAttempt, superseded } from '../../change/event.ts'
import {
  authorization,
  contextParams,
  contextValues,
  noneHolds,
  outcomeOf,
  type RequestContext,
  type RequestFields,
  rule,
  selectFromRequest,
  usedAt,
} from '../../change/request.ts'
import { noteUse } from '../../change/commit.ts'
import { DomainError, requireRow } from '../../change/errors.ts'
import { operatorAsJson } from './operator-copy.ts'

export interface Entry extends DirectoryRow {
  /** The operator who creates the store, as JSON, until it is complete. Null for the root. */
  creator: string | null
}

/** The columns of an entry in a statement that reads the directory. */
export function entryFields() {
  const creator = sql<
    string | null
  >`iif(${isNull(directory.completed_at)}, ${operatorAsJson(directory.actor_id)}, null)`
  return { ...getTableColumns(directory), creator: creator.as('creator') }
}

export interface NewOwnStore {
  slug: string
  name: string
  language: string
  time_zone: string
  jurisdiction: Jurisdiction
  location: string | null
}

/** Inserts the row, or finds the one that the same POST has inserted before. Throws `store_exists`. */
export async function insertEntry(
  shared: Db,
  context: RequestContext,
  { jurisdiction, ...store }: NewOwnStore,
): Promise<Entry> {
  const { first, last } = numbersOf(jurisdiction)
  const values = { ...store, first, last }
  const { result } = await batch(
    shared,
    { entry: insertRow(values), result: selectRow(values) },
    // The row takes the place of an event: it has the id of its request.
    { retry: 'own event', fencing: insertFencingToken({}), shared: contextValues(context) },
  )
  const { outcome, used_at, ...entry } = requireRow(result)
  noteUse(shared, context, { outcome, used_at })
  return requireEntry(outcome, entry)
}

const numberParams = params('first', 'last')

const entryParams = { ...params('slug', 'name', 'language', 'time_zone', 'location'), ...numberParams }

/** The same POST, sent again before the store was complete, goes on with the row. */
const isSameStore = () =>
  and(
    isNull(directory.completed_at),
    eq(directory.name, entryParams.name),
    eq(directory.language, entryParams.language),
    eq(directory.time_zone, entryParams.time_zone),
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

/** The first number after those that are given out. */
const nextNumber = lazySql<number>(() => {
  const given = alias(directory, 'given')
  return orm
    .select({ number: sql`coalesce(max(${given.number}) + 1, ${numberParams.first})` })
    .from(given)
    .where(between(given.number, numberParams.first, numberParams.last))
})

const insertRow = statement(entryParams, () =>
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

const selectRow = statement(entryParams, () =>
  selectEntryRequest({ outcome: outcomeOf(entryRules()).as('outcome'), used_at: usedAt, ...entryFields() }),
)

function requireEntry(outcome: RowOf<typeof selectRow>['outcome'], entry: Entry): Entry {
  switch (outcome) {
    case 'applied':
    case 'unchanged':
      return entry
    // `allowed`: no number is left.
    case 'allowed':
    case 'superseded':
      throw new Error(`the creation of a store ended as ${outcome}`)
    default:
      throw new DomainError(outcome, {})
  }
}

const completeParams = params('number', 'slug', 'completed_at', 'alarm_at')

const markComplete = statement(completeParams, () =>
  orm
    .update(directory)
    .set({ completed_at: completeParams.completed_at, alarm_at: completeParams.alarm_at })
    .where(
      and(
        eq(directory.number, completeParams.number),
        // After a restore of the directory, another store may have the number.
        eq(directory.slug, completeParams.slug),
        isNull(directory.completed_at),
      ),
    ),
)

/** The store is in lists from now on, and the every-minute job sees to its alarm. */
export async function completeEntry(shared: Db, { number, slug, created_at }: DirectoryRow): Promise<void> {
  const values = { number, slug, completed_at: created_at, alarm_at: created_at + OWN_STORE.soonMs }
  await batch(shared, { completed: markComplete(values) }, { retry: 'idempotent' })
}

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
export async function takeNextNumber(shared: Db, { number, slug }: DirectoryRow): Promise<number> {
  const values = { number, slug, ...numbersOf(jurisdictionOf(number)) }
  const steps = { renumbered: renumber(values), found: selectNumber(values) }
  // Sent again, it finds another number and changes nothing.
  const { found } = await batch(shared, steps, { retry: 'idempotent' })
  return requireRow(found).number
}
