import type { TestProject } from 'vitest/node'
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { startReceiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** test/support/receiver.ts listens at this origin. */
    receiver: string
    crons: ReturnType<typeof cronsOf>
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
  return receiver.stop
}
