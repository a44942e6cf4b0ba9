/**
 * The database of an operator's request that names a store. A batch runs in the shared database first, which has the
 * operators, and which rejects who may not call. If the store has a database of its own, the batch finds no such store
 * there and changes no record; it then runs in the store's database, beside the operator's row. So the same rules decide in
 * both, and an operator who is revoked between the two is still served: the request was authorized before.
 */
import { and, eq } from 'drizzle-orm'
import { bind } from '../../db/batch.ts'
import type { Database, DatabaseName } from '../../db/database.ts'
import { storeOf } from '../../db/ids.ts'
import { directory } from '../../db/schema.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import { selectMayCall } from '../change/authorize.ts'
import { contextParams, contextValues, type RequestContext } from '../change/context.ts'
import { completeStore, type Databases } from './create-own-store.ts'
import { type Entry, entryFields } from './directory-entry.ts'
import { operatorAsJson, upsertOperator } from './operator-copy.ts'

export function operatorDatabase(databases: Databases, context: RequestContext): Database {
  let name: DatabaseName = 'd1'
  let isShared = false
  return {
    get name() {
      return name
    },
    // Which store it is, is not known before.
    holds: () => true,
    async batch(statements, cost) {
      // A request may send many batches, such as one for each page of a CSV file. A store does not move meanwhile. For a
      // store with a database of its own, the shared one authorizes each batch again.
      if (isShared) return databases.shared.database.batch(statements, cost)
      name = 'd1'
      const lookUp = bind(selectPlace({}), contextValues(context))
      const results = await databases.shared.database.batch([...statements, lookUp], cost)
      // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- a database returns untyped rows; the statement knows its columns
      const [place] = results.pop() as RowOf<typeof selectPlace>[]
      isShared = place === undefined
      if (place === undefined) return results
      name = 'object'
      const { operator, ...entry } = place
      const number = await readyNumberOf(databases, entry)
      const { database } = databases.open(number, entry.location)
      const [, ...rows] = await database.batch([bind(upsertOperator({ operator }), {}), ...statements], cost)
      return rows
    },
  }
}

/** A store whose creation was interrupted is completed first. */
async function readyNumberOf(databases: Databases, entry: Entry): Promise<number> {
  if (entry.completed_at !== null) return entry.number
  const { id } = await completeStore(databases, entry)
  return storeOf(id)
}

/** The store's row in the directory, and the row of the caller; nothing for a caller who is rejected. */
const selectPlace = statement({}, () =>
  orm
    .select({ ...entryFields(), operator: operatorAsJson(contextParams.caller).as('operator') })
    .from(directory)
    .where(and(eq(directory.slug, contextParams.store_slug), selectMayCall(directory.number))),
)
