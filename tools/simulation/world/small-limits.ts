/** Numbers that replace those of a constant, by file of src and name. */
export type SmallLimits = Record<string, Record<string, Record<string, number> | number>>

/**
 * Smaller limits than the Worker's, so that a run reaches them: chunks, windows and pages of thousands of rows would never
 * be full. The loader of the copies (instances.ts) gives the Worker modules that export these values in the place of
 * their own. What callers can see of the limits (lengths, the limit of a page, times) is not changed.
 */
export const SMALL: SmallLimits = {
  'limits.ts': { SCAN_LIMIT: 12 },
  'jobs/limits.ts': { PURGE: { chunk: 11, statements: 24 } },
  'modules/accesses/limits.ts': { EXPIRY: { chunk: 3, stores: 2, maxChunks: 6 } },
  'modules/bulk-changes/limits.ts': { BULK: { chunk: 2, dryRunChunk: 2, invocationChunks: 3, restarts: 2 } },
  'modules/statistics/limits.ts': { STATS: { stores: 2, events: 20, rows: 20, maxChunks: 12 } },
  'modules/users/limits.ts': {
    SEARCH: { emails: 3, names: 6 },
    EXPORT: { firstPage: 2, maxPage: 5 },
    EXPORT_SEARCH: { emails: 4, names: 9 },
  },
  'modules/webhooks/limits.ts': { WEBHOOK: { window: 7, invocationTrips: 6, wokenPerRun: 20, purgedAtOnce: 7 } },
}

/** The source of a module that exports everything of the real one, with the small limits in their place. */
export function withSmallLimits(real: string, small: SmallLimits[string]): string {
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
