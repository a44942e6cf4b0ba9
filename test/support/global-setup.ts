import type { TestProject } from 'vitest/node'
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { allChanges, zonesToTry } from './calendar-properties.ts'
import { startReceiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** test/support/receiver.ts listens at this origin. */
    receiver: string
    crons: ReturnType<typeof cronsOf>
    /** The changes of offset of each zone that is tried, as Node knows them. */
    offsets: Record<string, [number, number][]>
    limiters: Record<string, { limit: number; period: number }>
  }
}

/** This runs in Node before all test files. */
export async function setup(project: TestProject): Promise<() => void> {
  const receiver = await startReceiver()
  project.provide('receiver', receiver.origin)
  const config = readConfig()
  project.provide('crons', cronsOf(config))
  project.provide('limiters', Object.fromEntries(config.ratelimits.map(({ name, simple }) => [name, simple])))
  const zones = zonesToTry(undefined)
  project.provide('offsets', Object.fromEntries(zones.map((zone) => [zone, allChanges(zone)])))
  return receiver.stop
}
