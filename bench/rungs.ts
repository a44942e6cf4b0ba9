/** Where between the floor and the service the time of a request goes. */
import { buildBundle, host, migrate } from './host.ts'
import { load, median, type Request } from './load.ts'
import { claimKeys, type Operation, operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'
import { recordStatements } from './statements.ts'

export interface Rung {
  operation: string
  name: string
  throughput: number
  /** Of the bare Worker's throughput: the median over the rounds. */
  ratio: number
}

const RUNGS = ['bare', 'log line', 'Hono', 'Hono and Zod']
/** With a write, with reads, with no I/O at all. */
const OPERATIONS = new Set(['create', 'replay', 'refused body'])

interface Side {
  name: string
  origin: string
  next: () => Request
}

export async function benchRungs(bundle: string, settings: Settings, progress: Progress): Promise<Rung[]> {
  const module = buildBundle('rungs', 'bench/workers/rungs.ts')
  const STATEMENTS = await recordStatements()
  const hosted = await host([
    { name: 'ours', module: bundle },
    ...RUNGS.map((RUNG, i) => ({ name: `rung-${i}`, module, bindings: { RUNG, STATEMENTS } })),
  ])
  try {
    await migrate(await hosted.db())
    const ours = await hosted.origin('ours')
    const origins = await Promise.all(RUNGS.map((_, i) => hosted.origin(`rung-${i}`)))
    const rungs: Rung[] = []
    for (const operation of operationsFor(await prepare(ours))) {
      if (!OPERATIONS.has(operation.name)) continue
      // The rungs share what they claim.
      if (operation.name === 'replay') await claimKeys(operation, { ours, floor: origins[0] ?? '' })
      const sides = origins.map((origin, i) => ({ name: RUNGS[i] ?? '', origin, next: operation.floor }))
      sides.push({ name: 'the service', origin: ours, next: operation.ours })
      rungs.push(...(await climb(operation, sides, settings, progress)))
    }
    return rungs
  } finally {
    await hosted.stop()
  }
}

/** The first side is the one that the others are compared with. */
async function climb(
  { name: operation, status }: Operation,
  sides: Side[],
  { rounds, milliseconds }: Settings,
  progress: Progress,
): Promise<Rung[]> {
  const measured = new Map<Side, number[]>(sides.map((side) => [side, []]))
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    progress(`rungs: ${operation}, round ${round} of ${rounds}`)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { throughput } = await load({ ...side, status, connections: 16, milliseconds })
      if (round > 0) measured.get(side)?.push(throughput)
    }
  }
  const [bare = []] = measured.values()
  return [...measured].map(([{ name }, throughputs]) => ({
    operation,
    name,
    throughput: median(throughputs),
    ratio: median(throughputs.map((throughput, round) => throughput / (bare[round] ?? Number.NaN))),
  }))
}
