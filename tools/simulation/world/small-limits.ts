/**
 * Smaller limits than the Worker's, so that a run reaches them: chunks, windows and pages of thousands of rows would never
 * be full. The loader of the copies (instances.ts) gives the Worker a module that exports src/limits.ts with these values
 * in the place of its own. What callers can see of the limits (lengths, the limit of a page, times) is not changed.
 */
const SMALL: Record<string, Record<string, number> | number> = {
  WEBHOOK: { window: 7, invocationTrips: 6, wokenPerRun: 20, purgedAtOnce: 7 },
  EXPIRY: { chunk: 3, stores: 2, maxChunks: 6 },
  PURGE: { chunk: 11, statements: 24 },
  STATS: { stores: 2, events: 20, rows: 20, maxChunks: 12 },
  SCAN_LIMIT: 12,
  SEARCH: { emails: 3, names: 6 },
  BULK: { chunk: 2, dryRunChunk: 2, invocationChunks: 3, restarts: 2 },
  EXPORT: { firstPage: 2, maxPage: 5 },
  EXPORT_SEARCH: { emails: 4, names: 9 },
}

/** The source of a module that exports everything of the real limits, with the small ones in their place. */
export function withSmallLimits(real: string, small = SMALL): string {
  const names = Object.keys(small)
  const overrides = names.map((name) => `export const ${name} = smaller('${name}', real.${name})`)
  return `
    import * as real from '${real}'
    export * from '${real}'
    const small = ${JSON.stringify(small)}
    function smaller(name, value) {
      const values = small[name]
      if (typeof values === typeof value && typeof values === 'number') return values
      for (const key in values) if (typeof value[key] !== 'number') throw new Error(name + ' has no ' + key)
      return { ...value, ...values }
    }
    ${overrides.join('\n')}`
}
