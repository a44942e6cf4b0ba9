import { afterAll, beforeAll } from 'vitest'

/**
 * Replaces limits (limits.ts of src or of a room) for the tests of a block, as the simulation does: to fill a production-sized page takes
 * thousands of rows, and a pause is time in which nothing is tested. A limit that is part of an SQL statement stays, because
 * statements are built once.
 */
export function useLimits<T extends object>(limits: T, smaller: { [K in keyof T]?: number }): void {
  const real = { ...limits }
  beforeAll(() => void Object.assign(limits, smaller))
  afterAll(() => void Object.assign(limits, real))
}
