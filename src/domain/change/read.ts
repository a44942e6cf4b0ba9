/** Reading: the gate, the store and what is asked for in one batch. */
import { sql } from 'drizzle-orm'
import { batch, type Db, type Steps } from '../../db/batch.ts'
import { type Params, statement, type Step } from '../../db/statement.ts'
import { type Call, type CallValues, callValues } from './context.ts'
import { foundRow, refusal, type Verdict } from '../errors.ts'
import { gate } from './authorize.ts'
import { noteLastUse } from './last-use.ts'

const tellReader = statement((p: Params<CallValues>, orm) =>
  orm
    .select({
      verdict: sql<Verdict | null>`coalesce(${gate(p)}, iif(${p.store} is null, 'not_found', null))`.as('verdict'),
    })
    .from(sql`(select 1)`),
)

/**
 * What the steps select, for a caller who may read it; throws what speaks against that, and `not_found` where there is
 * no such store. To ask is to use the token: the day is noted.
 */
export function readAll<S extends Steps>(db: Db, call: Call, steps: S) {
  return readUnnoted(db, call, { lastUse: noteLastUse(call), ...steps })
}

/** As `readAll`, but no use of the token. */
export async function readUnnoted<S extends Steps>(db: Db, call: Call, steps: S) {
  const asked = { told: tellReader(callValues(call)), ...steps }
  const answers = await batch(db, asked, { retry: 'done twice is done once' })
  const verdict = answers.told[0]?.verdict
  if (verdict) throw refusal(verdict)
  return answers
}

/** The rows that the step selects; throws as `readAll`. */
export async function read<Row>(db: Db, call: Call, step: Step<Row>): Promise<Row[]> {
  const { rows } = await readAll(db, call, { rows: step })
  return rows
}

/** The one row that the step selects; throws as `readAll`, and `not_found` where there is none. */
export async function readOne<Row>(db: Db, call: Call, step: Step<Row>): Promise<Row> {
  return foundRow(await read(db, call, step))
}
