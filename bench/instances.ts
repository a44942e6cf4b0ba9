/**
 * Compares cold and warm instances: one that has served no request, one that has not seen the token, and one that has.
 * Each D1 round trip is made longer, so that an additional one would show. Nothing about a caller is remembered, so the
 * last two must be equally fast.
 */
import { buildBundle, host, migrate } from './host.ts'
import { median } from './load.ts'
import { newToken, operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const STATES = ['has served no request', 'has not seen the token', 'has seen the token'] as const

export interface Instance {
  state: (typeof STATES)[number]
  /** The median in milliseconds. */
  ours: number
  floor: number
}

export async function benchInstances(settings: Settings, progress: Progress): Promise<Instance[]> {
  const bindings = { D1_DELAY_MS: settings.delayMs }
  const modules = {
    ours: buildBundle('ours-probed', 'bench/workers/service-probed.ts'),
    floor: buildBundle('floor-probed', 'bench/workers/floor-probed.ts'),
  }
  const sides = ['ours', 'floor'] as const
  const numbers = Array.from({ length: settings.coldStarts }, (_, i) => i)
  const hosted = await host([
    { name: 'setup', module: modules.ours },
    ...numbers.flatMap((i) => sides.map((side) => ({ name: `${side}-${i}`, module: modules[side], bindings }))),
  ])
  try {
    await migrate(await hosted.db())
    const setup = await hosted.origin('setup')
    const fixture = await prepare(setup)
    const taken = STATES.map((state) => ({ state, ours: new Array<number>(), floor: new Array<number>() }))
    for (const i of numbers) {
      progress(`instances: ${i + 1} of ${settings.coldStarts}`)
      const [first, second] = [await newToken(setup), await newToken(setup)]
      for (const side of sides) {
        const origin = await hosted.origin(`${side}-${i}`)
        for (const [state, token] of [first, second, second].entries()) {
          taken[state]?.[side].push(await create(origin, { ...fixture, token }))
        }
      }
    }
    return taken.map(({ state, ours, floor }) => ({ state, ours: median(ours), floor: median(floor) }))
  } finally {
    await hosted.stop()
  }
}

async function create(origin: string, fixture: Parameters<typeof operationsFor>[0]): Promise<number> {
  const [operation] = operationsFor(fixture)
  if (!operation) throw new Error('no create')
  const { path, ...init } = operation.next('ours')
  const sent = performance.now()
  const response = await fetch(origin + path, init)
  const text = await response.text()
  if (response.status !== operation.status) throw new Error(`a create returned ${response.status}: ${text}`)
  return performance.now() - sent
}
