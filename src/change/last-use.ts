/**
 * The day on which a token was last used. Each batch selects it, and the first request of a day writes it once its response
 * is on the way: in the batch itself, the statement would be a tenth of the text of every request. If the write fails, the
 * next request of the day makes it.
 */
import { and, eq, lt, sql } from 'drizzle-orm'
import { batch, type Db, openDb } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { access_tokens } from '../db/schema.ts'
import { orm, params, statement } from '../db/statement.ts'
import { DAY_MS } from '../limits.ts'
import { describeError, log } from '../lib/log.ts'
import { isOperator, type Outcome, rejectsCaller, type RequestContext, ROOT } from './request.ts'

function dayOf(now: number): number {
  return now - (now % DAY_MS)
}

/** False if the first use of the day is still to be recorded. The root has no row. */
export function isRecorded(used_at: number | null, { caller, now }: { caller: number; now: number }): boolean {
  return caller === ROOT || (used_at ?? 0) >= dayOf(now)
}

interface Used {
  outcome: Outcome
  used_at: number | null
}

/**
 * Notes that the use of the token is to be recorded in this database. A request whose caller is rejected is no use. That of
 * an operator in a store is noted when the store is looked up (src/modules/store-directory/locate-store.ts).
 */
export function noteUse({ database }: Db, context: RequestContext, { outcome, used_at }: Used): void {
  const { caller, store_slug, now, firstUses } = context
  if (rejectsCaller(outcome)) firstUses.clear()
  else if (isOperator(caller.id) && store_slug !== null) return
  else if (!isRecorded(used_at, { caller: caller.id, now })) firstUses.add(database)
}

const useParams = params('used_token', 'today')

const updateLastUsed = statement(useParams, () =>
  orm
    .update(access_tokens)
    .set({ last_used_at: useParams.today })
    .where(
      and(
        eq(access_tokens.id, useParams.used_token),
        lt(sql`coalesce(${access_tokens.last_used_at}, 0)`, useParams.today),
      ),
    ),
)

/** Records the use that was noted. */
export async function recordUse(database: Database, caller: number, now: number): Promise<void> {
  const step = updateLastUsed({ used_token: caller, today: dayOf(now) })
  // Its cost is not that of the request, whose log line may have been written already.
  await batch(openDb(database), { step }, { retry: 'idempotent' }).catch((error: unknown) => {
    log('warning', { code: 'use_not_recorded', error: describeError(error) })
  })
}
