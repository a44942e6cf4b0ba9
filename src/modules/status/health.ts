import { sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { Unavailable } from '../../db/database.ts'
import { stores } from '../../db/schema/stores.ts'
import { orm, statement } from '../../db/statement.ts'
import { isWithin, pause } from '../../lib/pause.ts'

/**
 * How long the result of a health check is reused for other requests, how often those look that wait for one, and how long
 * they do: a little more than the deadline of the database.
 */
export const HEALTH = { keptMs: 1000, pauseMs: 10, leaseMs: 6000 } as const

const selectOne = statement({}, () =>
  orm
    .select({ one: sql<number>`1` })
    .from(stores)
    .limit(1),
)

/**
 * The last check of this instance. Anybody may call it, so an instance queries D1 once at a time, and at most once a
 * second. It is a result and no promise: whoever waited for the promise of another request would be cancelled.
 */
let last: { at: number; error: Unavailable | undefined } | undefined
/** When the check that is under way began. */
let checkingSince: number | undefined

/** Throws `Unavailable` for every failure of the database, missing tables included. */
export async function checkHealth(db: Db): Promise<void> {
  for (;;) {
    if (last && isWithin(last.at, HEALTH.keptMs)) {
      if (last.error) throw last.error
      return
    }
    // A check takes less, unless its request stands still because its client has disconnected.
    if (checkingSince === undefined || !isWithin(checkingSince, HEALTH.leaseMs)) return queryDatabase(db)
    await pause(HEALTH.pauseMs)
  }
}

async function queryDatabase(db: Db): Promise<void> {
  const began = Date.now()
  checkingSince = began
  const error = await errorOf(db)
  last = { at: Date.now(), error }
  if (checkingSince === began) checkingSince = undefined
  if (error) throw error
}

async function errorOf(db: Db): Promise<Unavailable | undefined> {
  try {
    await batch(db, { one: selectOne({}) }, { retry: 'only reads' })
    return undefined
  } catch (cause) {
    return cause instanceof Unavailable ? cause : new Unavailable('d1', 'no_answer', cause)
  }
}
