import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig(async () => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // A database that an earlier release has left (test/releases).
        d1Databases: { RELEASED: 'released' },
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
          TEST_MIGRATIONS: await readD1Migrations('./drizzle'),
        },
      },
    }),
  ],
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
