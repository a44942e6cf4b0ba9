/** What a refused body costs, which needs no I/O: where between the floor and the service the time goes. */
import { buildBundle, host, migrate } from './host.ts'
import { load, median } from './load.ts'
import { operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

export interface Rung {
  name: string
  throughput: number
  /** Of the bare Worker's throughput: the median over the rounds. */
  ratio: number
}

const RUNGS = ['bare', 'log line', 'Hono', 'Hono and Zod']

export async function benchRungs(bundle: string, settings: Settings, progress: Progress): Promise<Rung[]> {
  const module = buildBundle('rungs', 'bench/workers/rungs.ts')
  const hosted = await host([
    { name: 'ours', module: bundle },
    ...RUNGS.map((RUNG, i) => ({ name: `rung-${i}`, module, bindings: { RUNG } })),
  ])
  try {
    await migrate(await hosted.db())
    const ours = await hosted.origin('ours')
    const operation = operationsFor(await prepare(ours)).find(({ name }) => name === 'refused body')
    if (!operation) throw new Error('no such operation')
    const sides = [{ name: 'the service', origin: ours, next: operation.ours }]
    for (const [i, name] of RUNGS.entries()) {
      sides.push({ name, origin: await hosted.origin(`rung-${i}`), next: operation.floor })
    }
    const measured = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
    // The first round warms up and does not count.
    for (let round = 0; round <= settings.rounds; round++) {
      progress(`rungs: round ${round} of ${settings.rounds}`)
      for (const { name, origin, next } of round % 2 === 0 ? sides : sides.toReversed()) {
        const { milliseconds } = settings
        const { throughput } = await load({ origin, next, status: 422, connections: 16, milliseconds })
        if (round > 0) measured.get(name)?.push(throughput)
      }
    }
    const bare = measured.get('bare') ?? []
    return [...RUNGS, 'the service'].map((name) => {
      const throughputs = measured.get(name) ?? []
      const ratio = median(throughputs.map((throughput, round) => throughput / (bare[round] ?? Number.NaN)))
      return { name, throughput: median(throughputs), ratio }
    })
  } finally {
    await hosted.stop()
  }
}
