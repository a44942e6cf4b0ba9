/**
 * The directory of the stores that have a database of their own. It is in the shared database. No request of a token uses
 * it, because a token has the number of its store.
 */
import { asc, desc, isNotNull, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { directory, type DirectoryRow } from '../../db/schema/jobs.ts'
import type { Store } from '../../db/schema/stores.ts'
import { named, orm, params, statement } from '../../db/statement.ts'
import { OWN_STORE } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { contextParams } from '../../change/request.ts'

/** The stores of the directory whose database is ready. */
export const isComplete = isNotNull(directory.completed_at)

/** A row of the directory, with the columns of a store. */
export function storeColumns() {
  const id = idIn(directory.number, 1)
  return named({
    id,
    slug: directory.slug,
    name: directory.name,
    language: directory.language,
    suspended_at: directory.suspended_at,
    expiry_notice_days: directory.expiry_notice_days,
    location: directory.location,
    created_at: directory.created_at,
    event_id: id,
    time_zone: directory.time_zone,
  }) satisfies Record<keyof Store, unknown>
}

const REPORTED = [
  'name',
  'language',
  'time_zone',
  'suspended_at',
  'expiry_notice_days',
  'alarm_at',
  'bytes',
  'pending',
  'oldest_pending_at',
  'failing',
  'down',
  'disabled',
  'purge_backlog',
] as const

type Report = Pick<DirectoryRow, (typeof REPORTED)[number] | 'number' | 'slug' | 'location' | 'created_at'>

const reportParams = params(...REPORTED, 'number', 'slug', 'location', 'created_at')

/**
 * Inserts the row if it is missing: the directory may have been restored to a moment before the store was created. If
 * another store has got the number or the slug since, nothing is reported.
 */
const upsertReport = statement(reportParams, () =>
  orm
    .insert(directory)
    .values({ ...reportParams, request_id: '', actor_id: 0, completed_at: reportParams.created_at })
    .onConflictDoUpdate({
      target: directory.number,
      set: ofEach(REPORTED, (name) => sql`excluded.${sql.raw(name)}`),
      setWhere: sql`(${directory.slug}, ${directory.created_at}) = (excluded.slug, excluded.created_at)`,
    })
    .onConflictDoNothing(),
)

export async function reportToDirectory(shared: Db, values: Report): Promise<void> {
  await batch(shared, { report: upsertReport(values) }, { retry: 'idempotent' })
}

const selectLate = statement({}, () =>
  orm
    .select({ number: directory.number })
    .from(directory)
    .where(lt(directory.alarm_at, sql`${contextParams.now} - ${OWN_STORE.lateMs}`))
    .orderBy(directory.alarm_at)
    .limit(OWN_STORE.wokenPerRun),
)

/** The numbers of stores that should have worked by now, the most overdue first. */
export async function listLate(shared: Db, now: number): Promise<number[]> {
  const { late } = await batch(shared, { late: selectLate({}) }, { retry: 'only reads', shared: { now } })
  return late.map(({ number }) => number)
}

/** The counts of all stores with a database of their own, as they have last reported them. It reads a row of each. */
export const sumReports = statement({}, () =>
  orm
    .select(
      named({
        total: sql<number>`count(*)`,
        suspended: sql<number>`count(${directory.suspended_at})`,
        bytes: sumOf(directory.bytes),
        pending: sumOf(directory.pending),
        oldest_pending_at: sql<number | null>`min(${directory.oldest_pending_at})`,
        failing: sumOf(directory.failing),
        down: sumOf(directory.down),
        disabled: sumOf(directory.disabled),
        purge_backlog: sumOf(directory.purge_backlog),
      }),
    )
    .from(directory)
    .where(isComplete),
)

export const selectLargest = statement({}, () =>
  orm
    .select({ slug: directory.slug, bytes: directory.bytes })
    .from(directory)
    .where(isComplete)
    .orderBy(desc(directory.bytes), asc(directory.slug))
    .limit(OWN_STORE.largest),
)

function sumOf(column: SQLiteColumn) {
  return sql<number>`coalesce(sum(${column}), 0)`
}
