/** What one operation costs: counted on the real bindings, CPU time from a profile, dollars from the list prices. */
import { readFileSync } from 'node:fs'
import { load } from './load.ts'
import { buildBundle, freePort, host, migrate } from './host.ts'
import { claimKeys, createWithPassword, type Operation, operationsFor, prepare } from './operations.ts'
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

export const prices: Prices = JSON.parse(readFileSync('bench/prices.json', 'utf8'))

/** Averages of one request. */
export interface Cost extends Counts {
  operation: string
  cpuMs: number
  dollarsPerMillion: number
}

export async function benchCost(bundle: string, settings: Settings, progress: Progress): Promise<Cost[]> {
  const inspectorPort = await freePort()
  const probed = buildBundle('ours-probed', 'bench/workers/service-probed.ts')
  const workers = [
    { name: 'ours', module: bundle },
    { name: 'counted', module: probed },
  ]
  const hosted = await host(workers, { inspectorPort })
  try {
    await migrate(await hosted.db())
    const timed = await hosted.origin('ours')
    const counted = await hosted.origin('counted')
    const fixture = await prepare(timed)
    const costs: Cost[] = []
    for (const operation of [...operationsFor(fixture), createWithPassword(fixture)]) {
      progress(`cost: ${operation.name}`)
      costs.push(
        await measureCost(operation, { counted, timed, inspectorPort, milliseconds: settings.milliseconds * 2 }),
      )
    }
    return costs
  } finally {
    await hosted.stop()
  }
}

interface CostOptions {
  /** The service with its bindings under watch. */
  counted: string
  /** The production bundle. */
  timed: string
  inspectorPort: number
  milliseconds: number
}

async function measureCost(operation: Operation, options: CostOptions): Promise<Cost> {
  const { counted, timed } = options
  if (operation.name === 'replay') await claimKeys(operation, { ours: counted, floor: counted }, ['ours'])
  const counts = await count(operation, counted)
  const cpuMs = await time(operation, timed, options)
  const per = prices.per_million
  const dollarsPerMillion =
    per.requests +
    cpuMs * per.cpu_ms +
    counts.rowsRead * per.d1_rows_read +
    counts.rowsWritten * per.d1_rows_written +
    counts.kvReads * per.kv_reads +
    counts.kvWrites * per.kv_writes
  return { operation: operation.name, ...counts, cpuMs, dollarsPerMillion }
}

async function count(operation: Operation, origin: string): Promise<Counts> {
  // The first one makes the token known to the instance.
  await send(operation, origin)
  await readCounts(origin)
  for (let i = 0; i < COUNTED_REQUESTS; i++) await send(operation, origin)
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

async function send(operation: Operation, origin: string): Promise<void> {
  const { path, ...init } = operation.ours()
  const response = await fetch(origin + path, init)
  const text = await response.text()
  if (response.status !== operation.status) throw new Error(`${operation.name} answered ${response.status}: ${text}`)
}

/** Once what was left for after the answers is done. */
export async function readCounts(origin: string): Promise<Counts> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  const response = await fetch(`${origin}/__probe`)
  const counts: Counts = JSON.parse(await response.text())
  return counts
}

async function time(operation: Operation, origin: string, options: CostOptions): Promise<number> {
  const run = (milliseconds: number) =>
    load({ origin, connections: 4, milliseconds, next: operation.ours, status: operation.status })
  await run(options.milliseconds / 2)
  let requests = 0
  const { cpuMs } = await profile(options.inspectorPort, 'ours', async () => {
    ;({ requests } = await run(options.milliseconds))
  })
  return cpuMs / requests
}
