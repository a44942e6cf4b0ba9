/** The accesses that a chunk reaches, each with whether the bulk change matches it and what it would have afterwards. */
import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { idIn, numberIn, storeIn } from '../../db/ids.ts'
import { bulk_changes, product_accesses } from '../../db/schema/accesses.ts'
import { events, users } from '../../db/schema/stores.ts'
import { limitOf, named, orm, params } from '../../db/statement.ts'
import { isInForce } from '../accesses/access-record.ts'
import { isChanged } from '../../change/record-fields.ts'
import { hasFieldValue } from '../custom-fields/field-filter.ts'
import { clockOf, extendedDate } from '../time-zones/extended-date.ts'
import type { EventType } from '../../change/event-types.ts'
import { type BulkChangeRecord, firstInLine } from './read-bulk-changes.ts'
import { idParams } from './runnable.ts'

/** The bulk change, where its cursor is expected, and how many accesses the chunk may reach. */
export const chunkParams = { ...idParams, ...params('expected_cursor', 'size') }

/**
 * True while nobody else has moved the cursor, the bulk change has not ended and it is its turn. Each step before the
 * one that moves the cursor has this condition, so a chunk that is sent twice does nothing the second time.
 */
export function mayProcess(bulkChange: Record<'id' | 'cursor' | 'finished_at' | 'dry_run', SQLiteColumn>) {
  return and(
    eq(bulkChange.id, chunkParams.bulk_change_id),
    eq(bulkChange.cursor, chunkParams.expected_cursor),
    isNull(bulkChange.finished_at),
    or(eq(bulkChange.dry_run, 1), eq(bulkChange.id, firstInLine(storeIn(chunkParams.bulk_change_id)))),
  )
}

/** How a bulk change finds its accesses. Each way has an index. */
export type Walk = 'store' | 'product' | 'users' | 'revert'

export function walkOf(record: BulkChangeRecord): Walk {
  if (record.reverts !== null) return 'revert'
  if (record.filter_user_ids !== null) return 'users'
  return record.filter_product_id === null ? 'store' : 'product'
}

/** What a walk computes for each access that it finds. */
interface Found {
  /** Where the walk is: the id of the access, or for a revert the id of the event. */
  position: SQL
  matches: SQL
  status: SQL
  access_due_date: SQL
}

const bulk = alias(bulk_changes, 'bulk')
const access = alias(product_accesses, 'access')
const done = alias(events, 'done')

/** The columns of a subquery need names of their own. */
function columnsOfFound({ position, matches, status, access_due_date }: Found) {
  return named({
    position: sql<number>`${position}`,
    matches: sql<0 | 1>`coalesce(${matches}, 0)`,
    access_id: sql<number>`${access.id}`,
    user_id: sql<number>`${access.user_id}`,
    product_id: sql<number>`${access.product_id}`,
    previous_id: sql<number>`${access.event_id}`,
    status: sql<string>`${access.status}`,
    access_due_date: sql<number | null>`${access.access_due_date}`,
    new_status: sql<string>`${status}`,
    new_due_date: sql<number | null>`${access_due_date}`,
    bulk_number: numberIn(bulk.id),
    request_id: sql<string>`${bulk.request_id}`,
    actor_id: sql<number>`${bulk.actor_id}`,
  })
}

/** The zone is not read from the row of the walk: with that, SQLite would build the clock anew for each access. */
function zoneOfBulkChange(): SQL {
  const zoned = alias(bulk_changes, 'zoned')
  return sql`${orm.select({ zone: zoned.time_zone }).from(zoned).where(eq(zoned.id, chunkParams.bulk_change_id))}`
}

/**
 * Selects what a chunk reaches, in the order of the walk. Both levels have a limit, which keeps SQLite from merging them:
 * merged, it would compute the new date of an access again for each place that uses it.
 */
export function selectReached(walk: Walk) {
  const query = walk === 'revert' ? selectFoundEvents() : selectFoundAccesses(walk)
  const found = query.as('found')
  const differs = isChanged([
    { field: 'status', from: sql`${found.status}`, to: sql`${found.new_status}` },
    { field: 'access_due_date', from: sql`${found.access_due_date}`, to: sql`${found.new_due_date}` },
  ])
  return orm
    .select({
      position: found.position,
      matches: found.matches,
      access_id: found.access_id,
      user_id: found.user_id,
      product_id: found.product_id,
      previous_id: found.previous_id,
      status: found.status,
      access_due_date: found.access_due_date,
      new_status: found.new_status,
      new_due_date: found.new_due_date,
      bulk_number: found.bulk_number,
      request_id: found.request_id,
      actor_id: found.actor_id,
      changes: sql<0 | 1>`(${found.matches} and ${differs})`.as('changes'),
    })
    .from(sql`(with ${clockOf(zoneOfBulkChange())} select * from ${query}) found`)
    .limit(limitOf(chunkParams.size))
    .as('reached')
}

export type Reached = ReturnType<typeof selectReached>

function selectFoundAccesses(walk: Exclude<Walk, 'revert'>) {
  return orm
    .select(columnsOfFound({ position: sql`${access.id}`, matches: sql`(${matchesFilter()})`, ...afterChange() }))
    .from(bulk)
    .crossJoin(access)
    .where(and(mayProcess(bulk), rangeOf(walk)))
    .orderBy(asc(access.id))
    .limit(limitOf(chunkParams.size))
}

/** The accesses after the cursor. Written so that SQLite reads them by the index and not by id, or by id in the end. */
function rangeOf(walk: Exclude<Walk, 'revert'>): SQL | undefined {
  const isLeft = and(gt(access.id, bulk.cursor), lte(access.id, bulk.ends_at))
  if (walk === 'store') return isLeft
  if (walk === 'product') return and(eq(access.product_id, bulk.filter_product_id), isLeft)
  const userIds = sql`(select ${idIn(bulk.store, sql`listed.value`)} from json_each(${bulk.filter_user_ids}) listed)`
  // With `id` instead of `+id`, SQLite might read the ids of the whole store instead of those of the users.
  return and(
    inArray(access.user_id, userIds),
    gt(sql`+${access.id}`, bulk.cursor),
    lte(sql`+${access.id}`, bulk.ends_at),
  )
}

function matchesFilter(): SQL | undefined {
  const { filter_product_id, filter_status, filter_in_force, filter_due_after, filter_due_before } = bulk
  return and(
    or(isNull(filter_product_id), eq(access.product_id, filter_product_id)),
    or(isNull(filter_status), eq(access.status, filter_status)),
    or(isNull(filter_in_force), eq(filter_in_force, isInForce(access, bulk.created_at))),
    or(isNull(filter_due_after), sql`(${gte(access.access_due_date, filter_due_after)}) is true`),
    or(isNull(filter_due_before), sql`(${lt(access.access_due_date, filter_due_before)}) is true`),
    or(isNull(bulk.filter_custom_field_key), exists(userWithFieldValue())),
  )
}

/** The user of the access, if they have the value in the custom field now. */
function userWithFieldValue() {
  const [key, value] = [sql`${bulk.filter_custom_field_key}`, sql`${bulk.filter_custom_field_value}`]
  return orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, access.user_id), hasFieldValue(users.custom_fields, { key, value })))
}

/** A date that has passed is extended from the time of the request. One that would leave the year 9999 stays. */
function afterChange() {
  const due = access.access_due_date
  const { change_extend_days: days, change_extend_months: months, change_access_due_date: newDue } = bulk
  const extended = extendedDate({ from: sql`max(${due}, ${bulk.created_at})`, days, months })
  const endsLater = or(isNull(due), gt(due, newDue))
  return {
    status: sql`coalesce(${bulk.change_status}, ${access.status})`,
    access_due_date: sql`case
      when ${bulk.change_sets_due_date} then iif(${bulk.change_never_shorten} and (${endsLater}), ${due}, ${newDue})
      when coalesce(${days}, ${months}) is not null and ${due} is not null then coalesce(${extended}, ${due})
      else ${due} end`,
  }
}

/** The events of the accesses that the reverted bulk change has changed. */
function selectFoundEvents() {
  const first = alias(bulk_changes, 'first')
  return orm
    .select(columnsOfFound({ position: sql`${done.id}`, ...afterRevert(first) }))
    .from(bulk)
    .crossJoin(first)
    .crossJoin(done)
    .leftJoin(access, eq(access.id, done.subject_id))
    .where(and(mayProcess(bulk), eq(first.id, bulk.reverts), gt(done.id, bulk.cursor), lte(done.id, bulk.ends_at)))
    .orderBy(asc(done.id))
    .limit(limitOf(chunkParams.size))
}

/** An access that has another status or date than the first bulk change left, or that was erased, stays as it is. */
function afterRevert(first: { request_id: SQLiteColumn }): Omit<Found, 'position'> {
  const isOfFirst = and(
    eq(done.type, 'product_access.updated' satisfies EventType),
    eq(done.request_id, accessRequestId(first.request_id, done.subject_id)),
  )
  const isAsLeft = sql`(${access.status} is ${done.data} ->> '$.set.status' and ${access.access_due_date} is ${done.data} ->> '$.set.access_due_date')`
  const previous = (field: string, current: SQL) =>
    sql`iif(${isAsLeft} and ${done.data} -> ${sql.raw(`'$.changes.${field}'`)} is not null, ${done.data} ->> ${sql.raw(`'$.changes.${field}.from'`)}, ${current})`
  return {
    matches: sql`(${isOfFirst})`,
    status: previous('status', sql`${access.status}`),
    access_due_date: previous('access_due_date', sql`${access.access_due_date}`),
  }
}

/** The request id of the event of an access: the feed shows only what is before the slash (src/modules/events/event-json.ts). */
export function accessRequestId(requestId: SQLWrapper, accessId: SQLWrapper) {
  return sql<string>`${requestId} || '/' || ${numberIn(accessId)}`
}
