/** Compares the service with the floor in one workerd and on one D1, so that both have the same conditions. */
import { type Comparison, compare } from './compare.ts'
import { buildBundle, host, type HostedWorker, migrate } from './host.ts'
import { claimKeys, operationsFor, prepare, WITH_TARGET } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

export function benchFloor(bundle: string, settings: Settings, progress: Progress): Promise<Comparison[]> {
  const workers = [
    { name: 'ours', module: bundle },
    { name: 'floor', module: buildBundle('floor', 'bench/workers/floor.ts') },
  ]
  return benchPair('floor', workers, settings, progress)
}

/** Compares with the floor without its log line, its deadline and its common headers, to show what these cost. */
export function benchBare(bundle: string, settings: Settings, progress: Progress): Promise<Comparison[]> {
  const workers = [
    { name: 'ours', module: bundle },
    { name: 'floor', module: buildBundle('floor', 'bench/workers/floor.ts'), bindings: { BARE: 1 } },
  ]
  return benchPair('bare', workers, { ...settings, connections: [16] }, progress)
}

/** Makes every D1 round trip longer, as it is for a Worker far from its database. */
export function benchEdge({ delayMs, ...settings }: Settings, progress: Progress): Promise<Comparison[]> {
  const bindings = { D1_DELAY_MS: delayMs }
  const workers = [
    { name: 'ours', module: buildBundle('ours-probed', 'bench/workers/service-probed.ts'), bindings },
    { name: 'floor', module: buildBundle('floor-probed', 'bench/workers/floor-probed.ts'), bindings },
  ]
  return benchPair('edge', workers, { ...settings, delayMs, connections: settings.edgeConnections }, progress)
}

async function benchPair(
  part: 'floor' | 'bare' | 'edge',
  workers: HostedWorker[],
  settings: Settings,
  progress: Progress,
): Promise<Comparison[]> {
  const hosted = await host(workers)
  try {
    await migrate(await hosted.db())
    const origins = { ours: await hosted.origin('ours'), floor: await hosted.origin('floor') }
    const comparisons: Comparison[] = []
    for (const operation of operationsFor(await prepare(origins.ours))) {
      const hasTarget = WITH_TARGET.has(operation.name)
      if (part !== 'floor' && !hasTarget) continue
      if (operation.name === 'replay') await claimKeys(operation, origins)
      for (const connections of settings.connections) {
        progress(`${part}: ${operation.name}, ${connections} connections`)
        const isCrowded = hasTarget && connections === settings.crowded.connections
        const { rounds, milliseconds } = isCrowded ? settings.crowded : settings
        const { warmUpMs } = settings
        comparisons.push(await compare(operation, { origins, connections, rounds, milliseconds, warmUpMs }))
      }
    }
    return comparisons
  } finally {
    await hosted.stop()
  }
}
