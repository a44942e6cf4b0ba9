import { afterEach, beforeEach, vi } from 'vitest'

/** The clock stands still during each test of a block, so that neither a day nor a lease ends on a busy machine. */
export function useStillClock(): void {
  beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())
}
