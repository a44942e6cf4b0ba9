import { sql } from 'drizzle-orm'
import { batch, type Db } from '../db/batch.ts'
import { statement } from '../db/statement.ts'
import { Unavailable } from '../db/failures.ts'
import { stores } from '../db/schema.ts'
import { HEALTH_MS } from '../limits.ts'

const selectOne = statement((_: object, orm) =>
  orm
    .select({ one: sql<number>`1` })
    .from(stores)
    .limit(1),
)

/** What the instance was last told, and when. Anybody may ask, so it asks D1 no more than once a second. */
let last: { at: number; outcome: Promise<unknown> } | undefined

/** Throws `Unavailable` whatever is wrong with the database, missing tables included. */
export async function checkHealth(db: Db, now: number): Promise<void> {
  if (!last || now - last.at >= HEALTH_MS || now < last.at) {
    last = { at: now, outcome: batch(db, { one: selectOne({}) }, { retry: 'it only reads' }) }
  }
  try {
    await last.outcome
  } catch (cause) {
    throw new Unavailable(cause instanceof Unavailable ? cause.failure : 'd1_no_answer', cause)
  }
}
