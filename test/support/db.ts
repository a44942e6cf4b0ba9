import { env } from 'cloudflare:workers'
import { type Db, openDb } from '../../src/db/batch.ts'
import { d1Database } from '../../src/db/database.ts'

/** The shared database as the Worker opens it. A test may give a D1 with faults. */
export function sharedDb(d1: D1Database = env.DB): Db {
  return openDb(d1Database(d1))
}
