/**
 * Compares the service with the floor in one workerd, so that both have the same conditions, and in rounds and in turns,
 * because the speed of the machine drifts. A store is measured in either place.
 */
import { PLACES, type Place } from '../../src/db/places.ts'
import { buildBundle, host, migrate } from './host.ts'
import { type Load, load, median } from './load.ts'
import { claimKeys, type Operation, operationsFor, prepare, type Side, WITH_TARGET } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

export interface Comparison {
  operation: string
  place: Place
  connections: number
  ours: Omit<Load, 'requests'>
  floor: Omit<Load, 'requests'>
  /** The median over the rounds of service / floor. Above 1 the service has more throughput, or a longer latency. */
  ratio: { throughput: number; p50: number; p99: number }
}

type Origins = Record<Side, string>

/** An operation without a target is measured with many connections only, and not in a database of its own. */
export async function benchFloor(bundle: string, settings: Settings, progress: Progress): Promise<Comparison[]> {
  const floor = buildBundle('floor', 'tools/bench/workers/floor.ts')
  const hosted = await host([
    { name: 'ours', module: bundle, objects: 'ours' },
    { name: 'shared floor', module: floor },
    { name: 'own floor', module: floor, objects: 'ours' },
  ])
  try {
    await migrate(await hosted.db())
    const most = Math.max(...settings.connections)
    const comparisons: Comparison[] = []
    for (const place of PLACES) {
      const origins = { ours: await hosted.origin('ours'), floor: await hosted.origin(`${place} floor`) }
      for (const operation of operationsFor(await prepare(origins.ours, place, `in-${place}`))) {
        const hasTarget = WITH_TARGET.has(operation.name)
        if (place === 'own' && !hasTarget) continue
        if (operation.name === 'replay') await claimKeys(operation, origins)
        const all = hasTarget && place === 'shared' ? settings.connections : [most]
        for (const connections of all) {
          progress(`floor: ${operation.name}, ${place}, ${connections} connections`)
          comparisons.push(await compare(operation, place, { ...settings, origins, connections }))
        }
      }
    }
    return comparisons
  } finally {
    await hosted.stop()
  }
}

async function compare(
  operation: Operation,
  place: Place,
  { origins, connections, ...settings }: Omit<Settings, 'connections'> & { origins: Origins; connections: number },
): Promise<Comparison> {
  const measured: Record<Side, Load[]> = { ours: [], floor: [] }
  const measure = (side: Side, milliseconds: number) =>
    load({
      origin: origins[side],
      connections,
      milliseconds,
      next: () => operation.next(side),
      status: operation.status,
    })
  // V8 compiles for thousands of requests. Without a warm-up, the first rounds would measure the compiler.
  await measure('floor', settings.warmUpMs)
  await measure('ours', settings.warmUpMs)
  for (let round = 0; round < settings.rounds; round++) {
    const order = round % 2 === 0 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const)
    for (const side of order) measured[side].push(await measure(side, settings.milliseconds))
  }
  const ratioOf = (figure: keyof Load) =>
    median(measured.ours.map((ours, round) => ours[figure] / (measured.floor[round]?.[figure] ?? Number.NaN)))
  return {
    operation: operation.name,
    place,
    connections,
    ours: medians(measured.ours),
    floor: medians(measured.floor),
    ratio: { throughput: ratioOf('throughput'), p50: ratioOf('p50'), p99: ratioOf('p99') },
  }
}

function medians(loads: Load[]): Omit<Load, 'requests'> {
  return {
    throughput: median(loads.map((each) => each.throughput)),
    p50: median(loads.map((each) => each.p50)),
    p99: median(loads.map((each) => each.p99)),
  }
}
