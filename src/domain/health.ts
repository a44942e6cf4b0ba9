import { sql } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { stores } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { RETRY_AFTER_SECONDS } from '../limits.ts'

/** Throws `service_unavailable` whatever is wrong with the database, missing tables included. */
export async function checkHealth(db: Db): Promise<void> {
  try {
    await run(db, [
      query(
        db.orm
          .select({ one: sql<number>`1` })
          .from(stores)
          .limit(1),
      ),
    ])
  } catch (cause) {
    throw new ApiError('service_unavailable', { cause, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
  }
}
