/** Removes the steps and faults that a failing run does not need to fail: first halves, then single ones. */
import { type Run, simulate, type Variant } from './run.ts'

/** The first words of a violation, without ids and times: these differ between two histories of the same defect. */
function kindOf(violation: string): string {
  return violation.replaceAll(/[\d"'{}[\].,:;-]+/g, ' ').slice(0, 24)
}

export async function shrink(failing: Run, variant: Variant): Promise<Run> {
  const kinds = new Set(failing.violations.map(kindOf))
  let shortest = failing
  let without = new Set<string>()

  /** Removes as many of these as possible, and returns whether it removed any. */
  async function removeMost(all: string[]): Promise<boolean> {
    let hasShrunk = false
    for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let start = 0; start < all.length; start += size) {
        const more = all.slice(start, start + size).filter((name) => !without.has(name))
        if (more.length === 0) continue
        const tried = new Set([...without, ...more])
        const run = await simulate(failing.seed, { ...variant, without: tried })
        if (!run.violations.some((violation) => kinds.has(kindOf(violation)))) continue
        shortest = run
        without = tried
        hasShrunk = true
      }
    }
    return hasShrunk
  }

  for (let isShrinking = true; isShrinking;) {
    const steps = await removeMost(shortest.steps)
    const faults = await removeMost(shortest.faults.map(({ id }) => id))
    isShrinking = steps || faults
  }
  return shortest
}
