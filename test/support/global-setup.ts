import type { TestProject } from 'vitest/node'
import { cronsOf, queuesOf, readConfig } from '../../scripts/wrangler-config.ts'
import { startReceiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test/support/receiver.ts listens. */
    receiver: string
    crons: ReturnType<typeof cronsOf>
    queues: ReturnType<typeof queuesOf>
    /** By their bindings. */
    limiters: Record<string, { limit: number; period: number }>
  }
}

/** Before all test files, in Node. */
export async function setup(project: TestProject): Promise<() => void> {
  const receiver = await startReceiver()
  project.provide('receiver', receiver.origin)
  const config = readConfig()
  project.provide('crons', cronsOf(config))
  project.provide('queues', queuesOf(config))
  project.provide('limiters', Object.fromEntries(config.ratelimits.map(({ name, simple }) => [name, simple])))
  return receiver.stop
}
