/** What vitest.config.ts adds to the bindings of wrangler.toml. */
declare namespace Cloudflare {
  interface Env {
    PASSWORD_COST: string
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
