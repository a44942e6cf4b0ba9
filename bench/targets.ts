/** What was set out to be reached, and whether it was. */
import type { Batches } from './batches.ts'
import type { Comparison } from './compare.ts'
import type { Cost } from './cost.ts'
import type { Growth } from './growth.ts'
import type { Instance } from './instances.ts'
import { JUDGED } from './operations.ts'
import type { Results } from './report.ts'
import type { Screen } from './screens.ts'
import type { Size } from './size.ts'

export interface Verdict {
  target: string
  measured: string
  reached: boolean
}

const THROUGHPUT = 0.85
const EDGE_MS = 2
const DOLLARS: Record<string, number> = { create: 3.45, 'update access': 2.45, 'move due date': 4.45 }
/** Users a second in batches, over those of single creates. */
const BATCHED = 10
const GZIP_KIB = 80
/** A new token's first request may take no trip more; what is left is noise. */
const NEW_TOKEN_MS = 5
/** Growth counts as flat while p50 stays within this factor of the smallest store's, and the rows read are the same. */
const FLAT = 2
/** What a page may read for each of its 50 records: index, record, user, product, event; and some around. */
const PAGE_ROWS = 50 * 5 + 50
/** What a screen may take. */
const SCREEN_MS = 1000
/** How many records a search looks through at most. */
const SEARCH_ROWS = 5000

export function judge(results: Results): Verdict[] {
  const { floor = [], edge = [], instances = [], costs = [], batches, size, growth = [], screens = [] } = results
  return [
    ...floor.filter(isJudged).map(judgeThroughput),
    ...edge.map(judgeEdge),
    ...judgeInstances(instances),
    ...costs.flatMap(judgeCost),
    ...(batches ? judgeBatches(batches) : []),
    ...(size ? judgeSize(size) : []),
    ...judgeGrowth(growth),
    ...judgeScreens(screens),
  ]
}

function isJudged({ connections, operation }: Comparison): boolean {
  return connections === 16 && JUDGED.has(operation)
}

function judgeThroughput({ operation, ratio }: Comparison): Verdict {
  return {
    target: `${operation}: at least ${THROUGHPUT} of the floor's throughput, 16 connections`,
    measured: ratio.throughput.toFixed(2),
    reached: ratio.throughput >= THROUGHPUT,
  }
}

function judgeEdge({ operation, connections, difference }: Comparison): Verdict {
  return {
    target: `${operation}: p50 at most ${EDGE_MS} ms over the floor's on the edge, ${count(connections, 'connection')}`,
    measured: `${difference.toFixed(1)} ms`,
    reached: difference <= EDGE_MS,
  }
}

function judgeInstances(instances: Instance[]): Verdict[] {
  const [, unseen, seen] = instances
  if (!unseen || !seen) return []
  return [
    {
      target: 'a create of a token that the instance has never seen: as fast as of one that it has',
      measured: `${unseen.ours.toFixed(1)} ms against ${seen.ours.toFixed(1)} ms`,
      reached: unseen.ours <= seen.ours + NEW_TOKEN_MS,
    },
  ]
}

function judgeCost({ operation, dollarsPerMillion }: Cost): Verdict[] {
  const dollars = DOLLARS[operation]
  if (dollars === undefined) return []
  return [
    {
      target: `${operation}: at most $${dollars} per million`,
      measured: `$${dollarsPerMillion.toFixed(2)}`,
      reached: dollarsPerMillion <= dollars,
    },
  ]
}

function judgeBatches({ ratio, imported }: Batches): Verdict[] {
  const { users, seconds, events } = imported
  return [
    {
      target: `batches: at least ${BATCHED} times the throughput of single creates`,
      measured: `× ${ratio.toFixed(1)}`,
      reached: ratio >= BATCHED,
    },
    {
      target: `${users.toLocaleString('en')} users imported, each with its event`,
      measured: `${events.toLocaleString('en')} in ${seconds.toFixed(0)} s`,
      reached: events === users,
    },
  ]
}

function judgeSize({ gzipBytes, coldStart }: Size): Verdict[] {
  const kib = gzipBytes / 1024
  return [
    { target: `bundle at most ${GZIP_KIB} KiB gzip`, measured: `${kib.toFixed(1)} KiB`, reached: kib <= GZIP_KIB },
    {
      target: 'cold start not above that of the same stack without the service',
      measured: `× ${coldStart.ratio.toFixed(2)}`,
      reached: coldStart.ratio <= 1,
    },
  ]
}

function judgeGrowth(growth: Growth[]): Verdict[] {
  return [...Map.groupBy(growth, ({ operation }) => operation)].flatMap(([operation, points]) => {
    const [first] = points
    const last = points.at(-1)
    if (!first || !last) return []
    const rows = rowsAllowed(operation) ?? first.rowsRead
    return {
      target: `${operation}: as fast among ${last.users.toLocaleString('en')} users as among ${first.users.toLocaleString('en')}`,
      measured: `p50 × ${(last.p50 / first.p50).toFixed(2)}, ${last.rowsRead} rows read against ${first.rowsRead}`,
      reached: last.p50 <= FLAT * first.p50 && last.rowsRead <= rows,
    }
  })
}

/** The slowest of each store. */
function judgeScreens(screens: Screen[]): Verdict[] {
  return [...Map.groupBy(screens, ({ users }) => users)].flatMap(([users, all]) => {
    const slowest = all.toSorted((a, b) => b.time - a.time)[0]
    if (!slowest) return []
    return {
      target: `every screen within ${SCREEN_MS} ms among ${users.toLocaleString('en')} users`,
      measured: `${slowest.time.toFixed(0)} ms, ${slowest.screen}`,
      reached: slowest.time <= SCREEN_MS,
    }
  })
}

/** Of what answers with many records; undefined for all else. */
function rowsAllowed(operation: string): number | undefined {
  if (operation.startsWith('search')) return SEARCH_ROWS
  return /^(page|history)/.test(operation) ? PAGE_ROWS : undefined
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
