/** The state of the service, for operators. It reads a few rows per endpoint, and a bounded number of pending deliveries. */
import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db, type RowsOf } from '../../db/batch.ts'
import { isOfStore, numberIn, storeIn } from '../../db/ids.ts'
import { events, stores, webhook_endpoints } from '../../db/schema/stores.ts'
import { named, orm, statement, hasWord } from '../../db/statement.ts'
import { DATABASE } from '../../limits.ts'
import { PENDING_LIMIT, WEBHOOK } from '../webhooks/limits.ts'
import type { RequestContext } from '../../change/request.ts'
import { isWoken, readAll } from '../../change/commit.ts'
import { cutoffOf, purgeParams } from '../events/purge-events.ts'
import { requireRow } from '../../change/errors.ts'
import { lastRunOf } from '../../jobs/job-runs.ts'
import { selectLargest, sumReports } from '../store-directory/directory.ts'
import type { PurgeTime } from '../../jobs/purge-in-turns.ts'
import { PURGES } from '../crons/purges.ts'

export type Status = Awaited<ReturnType<typeof readStatus>>

type Settings = Pick<PurgeTime, 'retentionDays'>

/** What is counted in one database. `now` is in milliseconds. */
function countSteps(now: number, { retentionDays }: Settings) {
  return {
    pending: countPending({}),
    endpoints: countEndpoints({}),
    jobs: selectJobs({ cutoff: cutoffOf({ now, retentionDays }) }),
  }
}

function countsOf({ pending, endpoints, jobs }: RowsOf<ReturnType<typeof countSteps>>) {
  return {
    webhooks: { pending: 0, oldest_pending_at: null, ...pending[0], failing: 0, down: 0, disabled: 0, ...endpoints[0] },
    jobs: { purge_backlog: 0, last_hourly_at: null, last_minutely_at: null, ...jobs[0] },
  }
}

/** What a store with a database of its own reports of itself. */
export async function readCounts(db: Db, now: number, settings: Settings) {
  const counts = await batch(db, countSteps(now, settings), { retry: 'only reads', shared: { now } })
  const { webhooks, jobs } = countsOf(counts)
  return { ...webhooks, purge_backlog: jobs.purge_backlog, bytes: db.cost.bytes }
}

/** The state of the shared database, and of the stores with a database of their own as they have last reported it. */
export async function readStatus(db: Db, context: RequestContext, settings: Settings) {
  // A round trip of its own: whoever may not ask must not cause the counts.
  await readAll(db, context, {})
  const counts = {
    ...countSteps(context.now, settings),
    ofStores: countStores({}),
    reports: sumReports({}),
    largest: selectLargest({}),
  }
  const { ofStores, reports, largest, ...shared } = await batch(db, counts, {
    retry: 'only reads',
    shared: { now: context.now },
  })
  const { webhooks, jobs } = countsOf(shared)
  const { total, suspended } = { total: 0, suspended: 0, ...ofStores[0] }
  const own = requireRow(reports)
  return {
    database: { bytes: db.cost.bytes, limit_bytes: DATABASE.maxBytes },
    objects: { total: own.total, bytes: own.bytes, largest },
    webhooks: {
      pending: webhooks.pending + own.pending,
      oldest_pending_at: earliest(webhooks.oldest_pending_at, own.oldest_pending_at),
      failing: webhooks.failing + own.failing,
      down: webhooks.down + own.down,
      disabled: webhooks.disabled + own.disabled,
    },
    stores: { total: total + own.total, suspended: suspended + own.suspended },
    jobs: { ...jobs, purge_backlog: jobs.purge_backlog + own.purge_backlog },
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

/**
 * The rows that the hourly job will delete, up to a bound of each kind, and the last runs. Claims have no index on their
 * time: of them, and of fencing tokens, those that the job examines next are counted.
 */
const selectJobs = statement(purgeParams, () => {
  const backlogs = PURGES.map((purge) => purge.backlog())
  return orm
    .select(
      named({
        purge_backlog: sql<number>`${sql.join(backlogs, sql` + `)}`,
        last_hourly_at: lastRunOf('hourly'),
        last_minutely_at: lastRunOf('minutely'),
      }),
    )
    .from(sql`(select 1)`)
})

const { types, cursor, disabled_at } = webhook_endpoints

/**
 * The events that are not deliveries yet, up to a window for each endpoint and up to a bound. They wait for endpoints that
 * are down, and for all that are behind.
 */
function selectAfterCursors() {
  const next = alias(events, 'next')
  const nextOfEndpoint = orm
    .select({ id: next.id })
    .from(next)
    .where(isOfStore(next.id, storeIn(webhook_endpoints.id), numberIn(cursor)))
    .orderBy(asc(next.id))
    .limit(WEBHOOK.window)
  const searched = orm
    .select({ types, type: events.type, created_at: events.created_at })
    .from(webhook_endpoints)
    .crossJoin(events)
    .where(and(isNull(disabled_at), inArray(events.id, nextOfEndpoint)))
    .limit(PENDING_LIMIT)
    .as('searched')
  return orm
    .select({ created_at: searched.created_at })
    .from(searched)
    .where(or(isNull(searched.types), hasWord(searched.types, searched.type)))
}

/**
 * What has not been sent to enabled endpoints yet: what their objects report to wait for a retry, and the events after their
 * cursors.
 */
const countPending = statement({}, () => {
  const { pending, oldest_pending_at } = webhook_endpoints
  const reported = orm
    .select({ count: pending, created_at: oldest_pending_at })
    .from(webhook_endpoints)
    .where(isNull(disabled_at))
  const after = selectAfterCursors().as('after')
  const waiting = reported
    .unionAll(orm.select({ count: sql<number>`1`, created_at: after.created_at }).from(after))
    .as('waiting')
  return orm
    .select(
      named({
        pending: sql<number>`coalesce(sum(${waiting.count}), 0)`,
        oldest_pending_at: sql<number | null>`min(${waiting.created_at})`,
      }),
    )
    .from(waiting)
})

const isFailing = and(isWoken, isNotNull(webhook_endpoints.failing_since))

const isDown = and(isNull(disabled_at), eq(webhook_endpoints.is_down, sql`1`))

const countEndpoints = statement({}, () =>
  orm
    .select(
      named({
        failing: sql<number>`count(*) filter (where ${isFailing})`,
        down: sql<number>`count(*) filter (where ${isDown})`,
        disabled: countOf(disabled_at),
      }),
    )
    .from(webhook_endpoints),
)

const countStores = statement({}, () => {
  // Stores are never deleted, so the highest number is their count.
  const newest = orm.select({ number: storeIn(sql`max(${stores.id})`) }).from(stores)
  const suspended = orm
    .select({ count: countOf(stores.suspended_at) })
    .from(stores)
    .where(isNotNull(stores.suspended_at))
  return orm
    .select(
      named({
        total: sql<number>`coalesce(${newest}, 0)`,
        suspended: sql<number>`${suspended}`,
      }),
    )
    .from(sql`(select 1)`)
})

/** The number of rows in which the column is not null. */
function countOf(column: SQLiteColumn) {
  return sql<number>`count(${column})`
}
