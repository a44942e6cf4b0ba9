/** The same comparison with every D1 round trip made longer, as it is for a Worker far from its database. */
import { type Comparison, compare } from './compare.ts'
import { buildBundle, host, migrate } from './host.ts'
import { operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'
import { recordStatements } from './statements.ts'

const COMPARED = new Set(['create', 'create with key', 'update access'])

export async function benchEdge(settings: Settings, progress: Progress): Promise<Comparison[]> {
  const D1_DELAY_MS = settings.delayMs
  const STATEMENTS = await recordStatements()
  const hosted = await host([
    { name: 'ours', module: buildBundle('ours-probed', 'bench/workers/service-probed.ts'), bindings: { D1_DELAY_MS } },
    {
      name: 'floor',
      module: buildBundle('floor-probed', 'bench/workers/floor-probed.ts'),
      bindings: { D1_DELAY_MS, STATEMENTS },
    },
  ])
  try {
    await migrate(await hosted.db())
    const origins = { ours: await hosted.origin('ours'), floor: await hosted.origin('floor') }
    const comparisons: Comparison[] = []
    for (const operation of operationsFor(await prepare(origins.ours))) {
      if (!COMPARED.has(operation.name)) continue
      for (const connections of settings.connections) {
        progress(`edge: ${operation.name}, ${connections} connections`)
        comparisons.push(await compare(operation, { ...settings, origins, connections }))
      }
    }
    return comparisons
  } finally {
    await hosted.stop()
  }
}
