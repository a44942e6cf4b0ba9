/** What was set out to be reached, and whether it was. */
import type { Results } from './report.ts'

export interface Verdict {
  target: string
  measured: string
  reached: boolean
}

const THROUGHPUT = 0.85
/** What the throughput is asked of; the others are measured for what they show. */
const JUDGED = new Set(['create', 'create with key', 'replay', 'update access', 'refused body', 'refused token'])
const EDGE_MS = 2
const GZIP_KIB = 80
const COLD_START_MS = 25
/** Growth counts as flat while the rows read are the same and p50 stays within this factor of the smallest store's. */
const FLAT = 2

export function judge({ floor = [], edge = [], size, growth = [] }: Results): Verdict[] {
  const verdicts: Verdict[] = []
  for (const { operation, connections, ratio } of floor) {
    if (connections !== 16 || !JUDGED.has(operation)) continue
    verdicts.push({
      target: `${operation}: at least ${THROUGHPUT} of the floor's throughput, 16 connections`,
      measured: ratio.throughput.toFixed(2),
      reached: ratio.throughput >= THROUGHPUT,
    })
  }
  for (const { operation, connections, difference } of edge) {
    verdicts.push({
      target: `${operation}: p50 at most ${EDGE_MS} ms over the floor's on the edge, ${count(connections, 'connection')}`,
      measured: `${difference.toFixed(1)} ms`,
      reached: difference <= EDGE_MS,
    })
  }
  if (size) {
    const kib = size.gzipBytes / 1024
    const over = size.coldStart.over
    verdicts.push(
      { target: `bundle at most ${GZIP_KIB} KiB gzip`, measured: `${kib.toFixed(1)} KiB`, reached: kib <= GZIP_KIB },
      {
        target: `cold start at most ${COLD_START_MS} ms over an empty Worker's`,
        measured: `${over.toFixed(1)} ms`,
        reached: over <= COLD_START_MS,
      },
    )
  }
  for (const operation of new Set(growth.map((point) => point.operation))) {
    const points = growth.filter((point) => point.operation === operation)
    const [first] = points
    const last = points.at(-1)
    if (!first || !last) continue
    verdicts.push({
      target: `${operation}: as fast among ${last.users.toLocaleString('en')} users as among ${first.users.toLocaleString('en')}`,
      measured: `p50 × ${(last.p50 / first.p50).toFixed(2)}, ${last.rowsRead} rows read against ${first.rowsRead}`,
      reached: last.p50 <= FLAT * first.p50 && last.rowsRead === first.rowsRead,
    })
  }
  return verdicts
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
