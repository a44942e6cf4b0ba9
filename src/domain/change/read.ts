/** Reading: the authorization and what is read, in one batch. */
import { batch, type Db, type RowsOf, type Steps } from '../../db/batch.ts'
import type { Step } from '../../db/statement.ts'
import { requireRow } from '../errors.ts'
import { requireAuthorization, selectAuthorization, touchToken } from './authorize.ts'
import { contextValues, type RequestContext } from './context.ts'

/** The requests that have recorded the use of their token. With a statement more per page, a file would end a third earlier. */
const touched = new WeakSet<Db>()

/**
 * The rows that the steps select. Throws if the caller may not read them, and `not_found` if there is no such store. The
 * first call of a request also records that the token was used today.
 */
export function readAll<S extends Steps>(db: Db, context: RequestContext, steps: S): Promise<RowsOf<S>> {
  if (touched.has(db)) return readWithoutTouch(db, context, steps)
  touched.add(db)
  return readWithoutTouch(db, context, { touch: touchToken(context), ...steps })
}

/** As `readAll`, but the token does not count as used. */
export async function readWithoutTouch<S extends Steps>(db: Db, context: RequestContext, steps: S): Promise<RowsOf<S>> {
  const sent = { authorization: selectAuthorization({}), ...steps }
  const rows = await batch(db, sent, { retry: 'idempotent', shared: contextValues(context) })
  requireAuthorization(rows.authorization)
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
