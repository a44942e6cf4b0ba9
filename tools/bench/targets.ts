/**
 * Compares the results with the targets, so that a slower or more expensive service is noticed. The targets are what a run
 * has reached, with room for the noise of a machine with two cores.
 */
import type { Batches } from './batches.ts'
import type { Cost } from './cost.ts'
import type { Fairness } from './fairness.ts'
import type { Comparison } from './floor.ts'
import type { Growth } from './growth.ts'
import { WITH_TARGET } from './operations.ts'
import type { Results } from './results.ts'
import type { Size } from './size.ts'

export interface TargetResult {
  target: string
  measured: string
  reached: boolean
}

/** Relative to the floor, with 16 connections. */
const THROUGHPUT = { shared: 0.8, own: 0.7 } as const
const DOLLARS: Record<string, number> = { create: 3.45, 'update access': 2.45, 'move due date': 4.45 }
/** Batches must create this many times as many users per second as single creates. */
const BATCHED = 10
const GZIP_KIB = 110
/** Relative to the same stack without the service. */
const COLD_START = 1.25
/** In the largest store, the p50 may be at most this many times that of the smallest store. */
const FLAT = 2.5
/** A page may read five rows for each of its 50 records (index, record, user, product, event) and 50 others. */
const PAGE_ROWS = 50 * 5 + 50
/** A search reads at most this many rows: it examines 10,000 users, each twice. */
const SEARCH_ROWS = 20_050
/** A search that examines as many users as it may must respond within this time. */
const SEARCH_MS = 150
/** Taken over a minute of attack. Over a shorter time, a ratio says too little to fail. */
const FAIR = { ratio: 3, seconds: 60 }

export function checkTargets({ floor = [], cost = [], batches, size, growth = [], fairness }: Results): TargetResult[] {
  return [
    ...floor.filter(hasTarget).map(checkThroughput),
    ...cost.flatMap(checkCost),
    ...(batches ? checkBatches(batches) : []),
    ...(size ? checkSize(size) : []),
    ...checkGrowth(growth),
    ...(fairness ? checkFairness(fairness) : []),
  ]
}

function hasTarget({ connections, operation }: Comparison): boolean {
  return connections === 16 && WITH_TARGET.has(operation)
}

function checkThroughput({ operation, place, ratio }: Comparison): TargetResult {
  const least = THROUGHPUT[place]
  return {
    target: `${operation}, ${place} database: throughput at least ${least} of the floor, 16 connections`,
    measured: ratio.throughput.toFixed(2),
    reached: ratio.throughput >= least,
  }
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
      target: `cold start at most ${COLD_START} times that of the stack without the service`,
      measured: `× ${coldStart.ratio.toFixed(2)}`,
      reached: coldStart.ratio <= COLD_START,
    },
  ]
}

function checkGrowth(growth: Growth[]): TargetResult[] {
  return [...Map.groupBy(growth, ({ operation }) => operation)].flatMap(([operation, points]) => {
    const [first] = points
    const last = points.at(-1)
    if (!first || !last) return []
    if (/^(search|filter)/.test(operation)) return checkSearch(last)
    const rows = rowsAllowed(operation) ?? first.rowsRead
    return {
      target: `${operation}: with ${last.users.toLocaleString('en')} users at most ${FLAT} times as long as with ${first.users.toLocaleString('en')}`,
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

/** Returns the limit for operations that return many records, and undefined for the others. */
function rowsAllowed(operation: string): number | undefined {
  return /^(page|history)/.test(operation) ? PAGE_ROWS : undefined
}

function checkFairness({ seconds, attacks }: Fairness): TargetResult[] {
  if (seconds < FAIR.seconds) return []
  return attacks.map(({ attack, ratio, maxRatio = FAIR.ratio }) => ({
    target: `${attack}: another store's update takes at most ${maxRatio} times as long`,
    measured: `× ${ratio.toFixed(1)}`,
    reached: ratio <= maxRatio,
  }))
}
