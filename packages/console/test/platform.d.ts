/** tools/bench/host.ts, which the tests use, names this type. With all types of the platform, `Request` would clash with the DOM's. */
import type { D1Database as Database } from '@cloudflare/workers-types'

declare global {
  type D1Database = Database
}
