/** Compares the results with the targets, so that a slower or more expensive service is noticed. */
import type { Batches } from './batches.ts'
import type { Comparison } from './compare.ts'
import type { Cost } from './cost.ts'
import type { Growth } from './growth.ts'
import type { Instance } from './instances.ts'
import { WITH_TARGET } from './operations.ts'
import type { Results } from './results.ts'
import type { Screen } from './screens.ts'
import type { Size } from './size.ts'

export interface TargetResult {
  target: string
  measured: string
  reached: boolean
}

const THROUGHPUT = 0.85
const EDGE_MS = 2
const DOLLARS: Record<string, number> = { create: 3.45, 'update access': 2.45, 'move due date': 4.45 }
/** Batches must create this many times as many users per second as single creates. */
const BATCHED = 10
const GZIP_KIB = 80
/** The first request of a token must not take another round trip (30 ms); shorter differences are noise. */
const NEW_TOKEN_MS = 5
/** In a larger store, the p50 may be at most this many times that of the smallest store. */
const FLAT = 2
/** A page may read five rows for each of its 50 records (index, record, user, product, event) and 50 others. */
const PAGE_ROWS = 50 * 5 + 50
/** A screen must open within this time. */
const SCREEN_MS = 1000
/** A search reads at most this many rows: it examines 10,000 users, each twice. */
const SEARCH_ROWS = 20_050
/** A search that examines as many users as it may must respond within this time. */
const SEARCH_MS = 100

export function checkTargets(results: Results): TargetResult[] {
  const { floor = [], edge = [], instances = [], costs = [], batches, size, growth = [], screens = [] } = results
  return [
    ...floor.filter(hasTarget).map(checkThroughput),
    ...edge.map(checkEdge),
    ...checkInstances(instances),
    ...costs.flatMap(checkCost),
    ...(batches ? checkBatches(batches) : []),
    ...(size ? checkSize(size) : []),
    ...checkGrowth(growth),
    ...checkScreens(screens),
  ]
}

function hasTarget({ connections, operation }: Comparison): boolean {
  return connections === 16 && WITH_TARGET.has(operation)
}

function checkThroughput({ operation, ratio }: Comparison): TargetResult {
  return {
    target: `${operation}: throughput at least ${THROUGHPUT} of the floor, 16 connections`,
    measured: ratio.throughput.toFixed(2),
    reached: ratio.throughput >= THROUGHPUT,
  }
}

function checkEdge({ operation, connections, difference }: Comparison): TargetResult {
  return {
    target: `${operation}: p50 on the edge at most ${EDGE_MS} ms above the floor, ${count(connections, 'connection')}`,
    measured: `${difference.toFixed(1)} ms`,
    reached: difference <= EDGE_MS,
  }
}

function checkInstances(instances: Instance[]): TargetResult[] {
  const [, unseen, seen] = instances
  if (!unseen || !seen) return []
  return [
    {
      target: 'a create with a token that the instance has not seen is as fast as with one that it has seen',
      measured: `${unseen.ours.toFixed(1)} ms against ${seen.ours.toFixed(1)} ms`,
      reached: unseen.ours <= seen.ours + NEW_TOKEN_MS,
    },
  ]
}

function checkCost({ operation, dollarsPerMillion }: Cost): TargetResult[] {
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

function checkBatches({ ratio, imported }: Batches): TargetResult[] {
  const { users, seconds, events } = imported
  return [
    {
      target: `batches: at least ${BATCHED} times the throughput of single creates`,
      measured: `× ${ratio.toFixed(1)}`,
      reached: ratio >= BATCHED,
    },
    {
      target: `${users.toLocaleString('en')} imported users each have an event`,
      measured: `${events.toLocaleString('en')} in ${seconds.toFixed(0)} s`,
      reached: events === users,
    },
  ]
}

function checkSize({ gzipBytes, coldStart }: Size): TargetResult[] {
  const kib = gzipBytes / 1024
  return [
    { target: `bundle at most ${GZIP_KIB} KiB gzip`, measured: `${kib.toFixed(1)} KiB`, reached: kib <= GZIP_KIB },
    {
      target: 'cold start at most that of the stack without the service',
      measured: `× ${coldStart.ratio.toFixed(2)}`,
      reached: coldStart.ratio <= 1,
    },
  ]
}

function checkGrowth(growth: Growth[]): TargetResult[] {
  return [...Map.groupBy(growth, ({ operation }) => operation)].flatMap(([operation, points]) => {
    const [first] = points
    const last = points.at(-1)
    if (!first || !last) return []
    if (operation.startsWith('search')) return checkSearch(last)
    const rows = rowsAllowed(operation) ?? first.rowsRead
    return {
      target: `${operation} is as fast with ${last.users.toLocaleString('en')} users as with ${first.users.toLocaleString('en')}`,
      measured: `p50 × ${(last.p50 / first.p50).toFixed(2)}, ${last.rowsRead} rows read against ${first.rowsRead}`,
      reached: last.p50 <= FLAT * first.p50 && last.rowsRead <= rows,
    }
  })
}

/** In a small store a search has fewer users to examine, so it is not compared with that. */
function checkSearch({ operation, users, p50, rowsRead }: Growth): TargetResult {
  return {
    target: `${operation} among ${users.toLocaleString('en')} users takes at most ${SEARCH_MS} ms`,
    measured: `p50 ${p50.toFixed(1)} ms, ${rowsRead} rows read`,
    reached: p50 <= SEARCH_MS && rowsRead <= SEARCH_ROWS,
  }
}

/** Checks only the slowest screen at each size of the store. */
function checkScreens(screens: Screen[]): TargetResult[] {
  return [...Map.groupBy(screens, ({ users }) => users)].flatMap(([users, all]) => {
    const slowest = all.toSorted((a, b) => b.time - a.time)[0]
    if (!slowest) return []
    return {
      target: `every screen opens within ${SCREEN_MS} ms with ${users.toLocaleString('en')} users`,
      measured: `${slowest.time.toFixed(0)} ms, ${slowest.screen}`,
      reached: slowest.time <= SCREEN_MS,
    }
  })
}

/** Returns the limit for operations that return many records, and undefined for the others. */
function rowsAllowed(operation: string): number | undefined {
  return /^(page|history)/.test(operation) ? PAGE_ROWS : undefined
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
