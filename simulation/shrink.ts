/** Leaves out of a failing run what it does not need to fail: halves first, then single steps and mishaps. */
import { type Run, simulate } from './run.ts'

/** The kind of a violation: its words, without what differs between two histories of the same fault. */
function kindOf(violation: string): string {
  return violation.replaceAll(/[\d"'{}[\].,:;-]+/g, ' ').slice(0, 24)
}

export async function shrink(failing: Run): Promise<Run> {
  const kinds = new Set(failing.violations.map(kindOf))
  let shortest = failing
  let without = new Set<string>()

  /** Leaves out as many of these as it can. */
  async function leaveOut(all: string[]): Promise<boolean> {
    let hasShrunk = false
    for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let start = 0; start < all.length; start += size) {
        const more = all.slice(start, start + size).filter((name) => !without.has(name))
        if (more.length === 0) continue
        const tried = new Set([...without, ...more])
        const run = await simulate(failing.seed, tried)
        if (!run.violations.some((violation) => kinds.has(kindOf(violation)))) continue
        shortest = run
        without = tried
        hasShrunk = true
      }
    }
    return hasShrunk
  }

  for (let isShrinking = true; isShrinking;) {
    const steps = await leaveOut(shortest.steps)
    const mishaps = await leaveOut(shortest.mishaps.map(({ id }) => id))
    isShrinking = steps || mishaps
  }
  return shortest
}
