/**
 * Where the store of an operator's request lives. The shared database has the operators, the stores' names and the
 * directory, so it is asked first, for the authorization and the place alone: nothing of a request reaches a database in
 * which the store does not live. What follows runs in the store's database; in one of its own, beside the operator's row,
 * so that the same rules decide there. An operator who is revoked between the two is still served there: the request was
 * authorized before. Nothing is remembered about a name, because a restore may give it to another store.
 */
import { eq, sql } from 'drizzle-orm'
import { batch, bind, type Located, type SharedValues } from '../../db/batch.ts'
import type { BoundStatement, Database } from '../../db/database.ts'
import { storeIn, storeOf } from '../../db/ids.ts'
import { directory } from '../../db/schema/jobs.ts'
import { stores } from '../../db/schema/stores.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import {
  authorization,
  contextParams,
  outcomeOf,
  storeOfRequest,
  requireAuthorization,
  selectFromRequest,
  usedAt,
} from '../../change/request.ts'
import { isRecorded } from '../../change/commit.ts'
import { requireRow } from '../../change/errors.ts'
import { completeStore, type StoreDbs } from './create-own-store.ts'
import { type Entry, entryFields } from './directory-entry.ts'
import { operatorAsJson, upsertOperator } from './operator-copy.ts'

/**
 * Returns a function that finds the store, in one round trip at its first call. It throws `not_found` if there is no
 * such store.
 */
export function locateStore(dbs: StoreDbs, firstUses: Set<Database>): (shared: SharedValues) => Promise<Located> {
  let located: Promise<Located> | undefined
  return (shared) => (located ??= findStore(dbs, firstUses, shared))
}

async function findStore(dbs: StoreDbs, firstUses: Set<Database>, shared: SharedValues): Promise<Located> {
  const rows = await batch(dbs.shared, { place: selectPlace({}) }, { retry: 'only reads', shared })
  const { outcome, used_at, store, operator, ...entry } = requireRow(rows.place)
  requireAuthorization({ outcome })
  const use = { caller: Number(shared['caller']), now: Number(shared['now']) }
  if (!isRecorded(used_at, use)) firstUses.add(dbs.shared.database)
  if (!isEntry(entry)) return { store, database: dbs.shared.database }
  const number = await readyNumberOf(dbs, entry)
  const { database } = dbs.open(number, entry.location)
  return { store: number, database: withFirst(database, bind(upsertOperator({ operator }), {})) }
}

type Place = Omit<RowOf<typeof selectPlace>, 'outcome' | 'used_at' | 'store' | 'operator'>

/** False for a store of the shared database, which has no row in the directory. */
function isEntry(place: Place): place is Place & Entry {
  return place.number !== null
}

/** A store whose creation was interrupted is completed first. */
async function readyNumberOf(dbs: StoreDbs, entry: Entry): Promise<number> {
  if (entry.completed_at !== null) return entry.number
  const { id } = await completeStore(dbs, entry)
  return storeOf(id)
}

/** The same database, in which each batch begins with this statement. */
function withFirst(database: Database, first: BoundStatement): Database {
  return {
    ...database,
    async batch(statements, cost) {
      const [, ...rows] = await database.batch([first, ...statements], cost)
      return rows
    },
  }
}

/** The number of the store with the name in the path; null if there is none. */
const numberOfSlug = sql<number | null>`coalesce(
  ${orm
    .select({ number: storeIn(stores.id) })
    .from(stores)
    .where(eq(stores.slug, contextParams.store_slug))},
  ${orm.select({ number: directory.number }).from(directory).where(eq(directory.slug, contextParams.store_slug))})`

/** How the authorization ends, the number of the store, its row in the directory, and the row of the caller. */
const selectPlace = statement({}, () =>
  selectFromRequest(
    {
      outcome: outcomeOf(authorization).as('outcome'),
      used_at: usedAt,
      store: storeOfRequest.as('store'),
      ...entryFields(),
      operator: operatorAsJson(contextParams.caller).as('operator'),
    },
    numberOfSlug,
  ).leftJoin(directory, eq(directory.number, storeOfRequest)),
)
