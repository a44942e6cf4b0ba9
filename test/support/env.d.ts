import type { D1Migration } from 'cloudflare:test'

/** vitest.config.ts adds these to the bindings of wrangler.toml. */
declare global {
  namespace Cloudflare {
    interface Env {
      PASSWORD_COST: string
      FUZZ_ROUNDS: string
      PROPERTY_RUNS: string
      TIME_ZONES: string
      SMALL_LIMITER: RateLimit
      TEST_MIGRATIONS: D1Migration[]
      RELEASED: D1Database
    }
  }
}
