/** The service against the floor, in one workerd on one D1, operation by operation. */
import { type Comparison, compare } from './compare.ts'
import { buildBundle, host, migrate } from './host.ts'
import { claimKeys, operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'
import { recordStatements } from './statements.ts'

export async function benchFloor(bundle: string, settings: Settings, progress: Progress): Promise<Comparison[]> {
  const hosted = await host([
    { name: 'ours', module: bundle },
    {
      name: 'floor',
      module: buildBundle('floor', 'bench/workers/floor.ts'),
      bindings: { STATEMENTS: await recordStatements() },
    },
  ])
  try {
    await migrate(await hosted.db())
    const origins = { ours: await hosted.origin('ours'), floor: await hosted.origin('floor') }
    const comparisons: Comparison[] = []
    for (const operation of operationsFor(await prepare(origins.ours))) {
      if (operation.name === 'replay') await claimKeys(operation, origins)
      for (const connections of settings.connections) {
        progress(`floor: ${operation.name}, ${connections} connections`)
        comparisons.push(await compare(operation, { ...settings, origins, connections }))
      }
    }
    return comparisons
  } finally {
    await hosted.stop()
  }
}
