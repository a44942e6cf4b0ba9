import type { TestProject } from 'vitest/node'
import { startReceiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test/support/receiver.ts listens. */
    receiver: string
  }
}

/** Before all test files, in Node. */
export async function setup(project: TestProject): Promise<() => void> {
  const receiver = await startReceiver()
  project.provide('receiver', receiver.origin)
  return receiver.stop
}
