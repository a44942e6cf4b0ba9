import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { type SmallLimits, withSmallLimits } from './tools/simulation/world/small-limits.ts'

/**
 * Chunks that tens of rows fill, where production has thousands, and retries that come soon. A job may do as many chunks as in
 * production, because a run covers the stores of all files.
 */
const SMALL: SmallLimits = {
  'limits.ts': { DATABASE: { retryBaseMs: 1 } },
  'jobs/limits.ts': { PURGE: { chunk: 200 } },
  'modules/accesses/limits.ts': { EXPIRY: { chunk: 20 } },
  'modules/bulk-changes/limits.ts': { BULK: { chunk: 20, dryRunChunk: 20 } },
  'modules/statistics/limits.ts': { STATS: { events: 200, rows: 100 } },
}

/** The tests and the Worker get these limits in the place of the real ones. */
const smallLimits: Plugin = {
  name: 'small-limits',
  load(id) {
    const small = SMALL[id.slice(join(import.meta.dirname, 'src/').length)]
    return small && withSmallLimits(`${id}?real`, small)
  },
}

export default defineConfig(async () => ({
  plugins: [
    smallLimits,
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // A database that an earlier release has left (test/releases).
        d1Databases: { RELEASED: 'released' },
        // A limit that a few requests reach (test/http/rate-limit.test.ts).
        ratelimits: { SMALL_LIMITER: { namespace_id: '9001', simple: { limit: 5, period: 60 } } },
        bindings: {
          ENVIRONMENT: 'test',
          // `PLACE=own npm test -- test/sweeps` runs the sweeps with stores that have a database of their own.
          DEFAULT_PLACE: process.env['PLACE'] ?? 'shared',
          ADMIN_TOKEN: 'operator-secret-of-the-tests-32-characters',
          TOKEN_KEY: 'key-of-the-tests-with-32-characters-or-more',
          // Argon2id at 1/608 of its cost; test/modules/users/passwords/passwords.test.ts checks the real one.
          PASSWORD_COST: '32',
          // Of 500 requests each.
          FUZZ_ROUNDS: process.env['FUZZ_ROUNDS'] ?? '2',
          // Of each property that sends requests. A token may send 600 in 60 seconds, so at most 200 (the nightly run).
          PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '40',
          // `TIME_ZONES=all` tries every zone of the runtime instead of a dozen (test/support/calendar-properties.ts).
          TIME_ZONES: process.env['TIME_ZONES'] ?? '',
          TEST_MIGRATIONS: await readD1Migrations('./drizzle'),
        },
      },
    }),
  ],
  // The tests read the words that the bundle of the Worker does not have.
  resolve: { alias: { '#prose': join(import.meta.dirname, 'src/lib/prose.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    setupFiles: ['./test/support/setup.ts'],
    silent: 'passed-only' as const,
    // A time limit for what hangs, not for a slow machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two workers, each with a workerd and a storage of its own, take the files in turn, the longest first. The files of a
    // worker share its storage, because a start costs more than most files: tests seed their own stores.
    isolate: false,
    maxWorkers: 2,
  },
}))
