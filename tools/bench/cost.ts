/** Measures what one operation costs: calls of the real bindings, CPU time from a profile, dollars from list prices. */
import { readFileSync } from 'node:fs'
import { load } from './load.ts'
import { freePort } from '../../scripts/free-port.ts'
import { buildBundle, host, migrate } from './host.ts'
import { claimKeys, createWithPassword, type Operation, operationsFor, prepare, type Side } from './operations.ts'
import { profile } from './profile.ts'
import type { Progress, Settings } from './settings.ts'
import type { Counts } from './workers/probe.ts'

const COUNTED_REQUESTS = 20

interface Prices {
  date: string
  plan: string
  sources: string[]
  per_million: Record<'requests' | 'cpu_ms' | 'd1_rows_read' | 'd1_rows_written' | 'kv_reads' | 'kv_writes', number>
}

export const prices: Prices = JSON.parse(readFileSync('tools/bench/prices.json', 'utf8'))

/** These are averages for one request. */
export interface Cost extends Counts {
  operation: string
  cpuMs: number
  dollarsPerMillion: number
}

/** Throws if the floor makes other round trips or writes other rows, because the comparison would mean nothing. */
export async function benchCost(bundle: string, settings: Settings, progress: Progress): Promise<Cost[]> {
  const inspectorPort = await freePort()
  const hosted = await host(
    [
      { name: 'ours', module: bundle },
      { name: 'counted', module: buildBundle('ours-probed', 'tools/bench/workers/service-probed.ts') },
      { name: 'floor', module: buildBundle('floor-probed', 'tools/bench/workers/floor-probed.ts') },
    ],
    { inspectorPort },
  )
  try {
    await migrate(await hosted.db())
    const timed = await hosted.origin('ours')
    const origins = { ours: await hosted.origin('counted'), floor: await hosted.origin('floor') }
    const fixture = await prepare(timed)
    const costs: Cost[] = []
    for (const operation of operationsFor(fixture)) {
      progress(`cost: ${operation.name}`)
      if (operation.name === 'replay') await claimKeys(operation, origins)
      const counts = await count(operation, 'ours', origins.ours)
      checkSameCounts(operation, counts, await count(operation, 'floor', origins.floor))
      if (operation.status < 400) await checkSameResponse(operation, origins)
      costs.push(priceOf(operation, counts, await time(operation, timed, { inspectorPort, ...settings })))
    }
    const hashed = createWithPassword(fixture)
    const counts = await count(hashed, 'ours', origins.ours)
    costs.push(priceOf(hashed, counts, await time(hashed, timed, { inspectorPort, ...settings })))
    return costs
  } finally {
    await hosted.stop()
  }
}

function checkSameCounts({ name }: Operation, ours: Counts, floor: Counts): void {
  for (const each of ['roundTrips', 'rowsWritten', 'kvReads', 'kvWrites'] as const) {
    if (ours[each] !== floor[each])
      throw new Error(`${name}: ${each} is ${ours[each]}, but ${floor[each]} on the floor`)
  }
}

/** Throws if the response of the floor has other fields or headers, because the floor would do less work. */
async function checkSameResponse({ name, next }: Operation, origins: Record<Side, string>): Promise<void> {
  const shapeOf = async (side: Side) => {
    const { path, ...init } = next(side)
    const response = await fetch(origins[side] + path, init)
    const body: object = JSON.parse(await response.text())
    return [...Object.keys(body), ...[...response.headers.keys()].toSorted()].join(' ')
  }
  const [ours, floor] = [await shapeOf('ours'), await shapeOf('floor')]
  if (ours !== floor) throw new Error(`${name} returns ${ours}, but the floor returns ${floor}`)
}

function priceOf({ name }: Operation, counts: Counts, cpuMs: number): Cost {
  const per = prices.per_million
  const dollarsPerMillion =
    per.requests +
    cpuMs * per.cpu_ms +
    counts.rowsRead * per.d1_rows_read +
    counts.rowsWritten * per.d1_rows_written +
    counts.kvReads * per.kv_reads +
    counts.kvWrites * per.kv_writes
  return { operation: name, ...counts, cpuMs, dollarsPerMillion }
}

/** Returns the average counts of requests to a Worker with a probe. */
export async function count({ name, next, status }: Operation, side: Side, origin: string): Promise<Counts> {
  for (let i = 0; i <= COUNTED_REQUESTS; i++) {
    // The first request of a day also writes the last use of the token, which would raise the average.
    if (i === 1) await readCounts(origin)
    const { path, ...init } = next(side)
    const response = await fetch(origin + path, init)
    const text = await response.text()
    if (response.status !== status) throw new Error(`${name} returned ${response.status}: ${text}`)
  }
  const { roundTrips, rowsRead, rowsWritten, kvReads, kvWrites } = await readCounts(origin)
  const n = COUNTED_REQUESTS
  return {
    roundTrips: roundTrips / n,
    rowsRead: rowsRead / n,
    rowsWritten: rowsWritten / n,
    kvReads: kvReads / n,
    kvWrites: kvWrites / n,
  }
}

/** Waits first, because a Worker still writes to KV after its response. */
async function readCounts(origin: string): Promise<Counts> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  const response = await fetch(`${origin}/__probe`)
  const counts: Counts = JSON.parse(await response.text())
  return counts
}

interface TimeOptions {
  inspectorPort: number
  milliseconds: number
}

/** Returns the CPU milliseconds of one request to the production bundle. */
async function time({ next, status }: Operation, origin: string, options: TimeOptions): Promise<number> {
  const run = (milliseconds: number) => load({ origin, connections: 4, milliseconds, next: () => next('ours'), status })
  await run(options.milliseconds * 3)
  let requests = 0
  const { cpuMs } = await profile(options.inspectorPort, 'ours', async () => {
    ;({ requests } = await run(options.milliseconds * 6))
  })
  return cpuMs / requests
}
