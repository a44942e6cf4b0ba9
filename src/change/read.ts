/** Reading: the authorization and what is read, in one batch. */
import { batch, type Db, type RowsOf, type Steps } from '../db/batch.ts'
import type { RowOf, Step } from '../db/statement.ts'
import { requireRow } from './errors.ts'
import { requireAuthorization, selectAuthorization } from './authorize.ts'
import { contextValues, type RequestContext } from './context.ts'
import { noteUse } from './last-use.ts'

/**
 * The rows that the steps select. Throws if the caller may not read them, and `not_found` if there is no such store. Unless
 * `isUse` is false, it counts as a use of the token.
 */
export async function readAll<S extends Steps>(
  db: Db,
  context: RequestContext,
  steps: S,
  { isUse = true } = {},
): Promise<RowsOf<S>> {
  const sent = { authorization: selectAuthorization({}), ...steps }
  const rows = await batch(db, sent, { retry: 'only reads', shared: contextValues(context) })
  const authorization = requireRow<RowOf<typeof selectAuthorization>>(rows.authorization)
  if (isUse) noteUse(db, context, authorization)
  requireAuthorization(authorization)
  return rows
}

/** The rows that one step selects. Throws as `readAll`. */
export async function read<Row>(db: Db, context: RequestContext, step: Step<Row>): Promise<Row[]> {
  const { rows } = await readAll(db, context, { rows: step })
  return rows
}

/** The one row that the step selects. Throws as `readAll`, and `not_found` if there is none. */
export async function readOne<Row>(db: Db, context: RequestContext, step: Step<Row>): Promise<Row> {
  return requireRow(await read(db, context, step))
}
