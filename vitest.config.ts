import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig(async () => ({
  plugins: [
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
          // Argon2id at 1/608 of its cost; test/domain/users/passwords.test.ts checks the real one.
          PASSWORD_COST: '32',
          // Of 500 requests each.
          FUZZ_ROUNDS: process.env['FUZZ_ROUNDS'] ?? '2',
          // Of each property that sends requests. A token may send 600 in 60 seconds, so at most 200 (the nightly run).
          PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '40',
          TEST_MIGRATIONS: await readD1Migrations('./drizzle'),
        },
      },
    }),
  ],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    setupFiles: ['./test/support/setup.ts'],
    // One workerd and one storage for all files: a start costs more than most files. Tests seed their own stores.
    silent: 'passed-only' as const,
    // A time limit for what hangs, not for a slow machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    maxWorkers: 1,
  },
}))
