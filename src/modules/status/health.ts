import { sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { Unavailable } from '../../db/failures.ts'
import { stores } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { HEALTH_MS } from '../../limits.ts'

const selectOne = statement({}, () =>
  orm
    .select({ one: sql<number>`1` })
    .from(stores)
    .limit(1),
)

/** The last check of this instance. Anybody may call it, so an instance queries D1 at most once a second. */
let last: { at: number; outcome: Promise<unknown> } | undefined

/** Throws `Unavailable` for every failure of the database, missing tables included. */
export async function checkHealth(db: Db, now: number): Promise<void> {
  if (!last || now - last.at >= HEALTH_MS || now < last.at) {
    last = { at: now, outcome: batch(db, { one: selectOne({}) }, { retry: 'only reads' }) }
  }
  try {
    await last.outcome
  } catch (cause) {
    throw cause instanceof Unavailable ? cause : new Unavailable('d1', 'no_answer', cause)
  }
}
