import { sql } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { stores } from '../db/schema.ts'

/** Throws `service_unavailable` while D1 does not answer, and while its tables are missing. */
export async function checkHealth(db: Db): Promise<void> {
  await run(db, [
    query(
      db.orm
        .select({ one: sql<number>`1` })
        .from(stores)
        .limit(1),
    ),
  ])
}
