import { sql } from 'drizzle-orm'
import { type Params, statement, type Step } from '../../db/statement.ts'
import { access_tokens } from '../../db/schema.ts'
import { DAY_MS } from '../../limits.ts'
import { type Call, type CallValues, callValues, isOperator } from './context.ts'
import { gate } from './authorize.ts'

/** The step that notes today as the token's last day of use: a row written once a day. Operators have no such day. */
export function noteLastUse(call: Call): Step<unknown> | undefined {
  if (isOperator(call.caller.id)) return undefined
  return updateLastUse({ ...callValues(call), today: call.now - (call.now % DAY_MS) })
}

const updateLastUse = statement((p: Params<CallValues & { today: number }>, orm) =>
  orm
    .update(access_tokens)
    .set({ last_used_at: sql`${p.today}` })
    .where(
      sql`${access_tokens.id} = ${p.caller} and coalesce(${access_tokens.last_used_at}, 0) < ${p.today}
        and ${gate(p)} is null`,
    ),
)
