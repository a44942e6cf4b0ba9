/**
 * The database of an operator's request that names a store. A batch runs in the shared database first, which has the
 * operators, and which rejects who may not call. If the store has a database of its own, the batch finds no such store
 * there and changes no record; it then runs in the store's database, beside the operator's row. So the same rules decide in
 * both, and an operator who is revoked between the two is still served: the request was authorized before.
 */
import { and, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import { bind } from '../../db/batch.ts'
import type { Database, DatabaseName } from '../../db/database.ts'
import { storeOf } from '../../db/ids.ts'
import { access_tokens, type AccessToken, directory, type DirectoryRow } from '../../db/schema.ts'
import { columnsOf, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { mayCall } from '../change/authorize.ts'
import { contextParams, contextValues, type RequestContext } from '../change/context.ts'
import { completeStore, type Databases } from './create-own-store.ts'

export function operatorDatabase(databases: Databases, context: RequestContext): Database {
  let name: DatabaseName = 'd1'
  let isFinal = false
  return {
    get name() {
      return name
    },
    // Which store it is, is not known before.
    holds: () => true,
    async batch(statements, cost) {
      // A request may send many batches, such as one for each page of a CSV file. A store does not move meanwhile.
      if (isFinal) return databases.shared.database.batch(statements, cost)
      name = 'd1'
      const lookUp = bind(selectPlace({}), contextValues(context))
      const results = await databases.shared.database.batch([...statements, lookUp], cost)
      // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- a database returns untyped rows; the statement knows its columns
      const [place] = results.pop() as RowOf<typeof selectPlace>[]
      isFinal = place === undefined
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
async function readyNumberOf(databases: Databases, entry: DirectoryRow): Promise<number> {
  if (entry.completed_at !== null) return entry.number
  const { id } = await completeStore(databases, entry)
  return storeOf(id)
}

/** Without the email: the store's database has no use for it. */
const COPIED = [
  'id',
  'name',
  'hash',
  'older_hashes',
  'scopes',
  'store_numbers',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'event_id',
] as const satisfies (keyof AccessToken)[]

/**
 * The store's row in the directory, and the row of the caller as JSON; nothing for a caller who is rejected. Ids of
 * operators are small, so JSON keeps them.
 */
const selectPlace = statement({}, () => {
  const columns = COPIED.map((name) => sql`${name}, ${access_tokens[name]}`)
  const operator = orm
    .select({ json: sql`json_object(${sql.join(columns, sql`, `)})` })
    .from(access_tokens)
    .where(eq(access_tokens.id, contextParams.caller))
  return orm
    .select({ ...getTableColumns(directory), operator: sql<string | null>`${operator}`.as('operator') })
    .from(directory)
    .where(and(eq(directory.slug, contextParams.store_slug), mayCall(directory.number)))
})

const copyParams = params('operator')

/** Does nothing for the root, who has no row. */
const upsertOperator = statement(copyParams, () => {
  const copied = mapNames(COPIED, (name) => sql`${copyParams.operator} ->> ${name}`)
  const changed = mapNames(COPIED, (name) => sql`excluded.${sql.raw(name)}`)
  return orm
    .insert(access_tokens)
    .select(
      orm
        .select(columnsOf(access_tokens, { ...copied, email: null, email_key: null }))
        .from(sql`(select 1)`)
        .where(isNotNull(copyParams.operator)),
    )
    .onConflictDoUpdate({
      target: access_tokens.id,
      set: changed,
      setWhere: sql.join(
        COPIED.map((name) => sql`${access_tokens[name]} is not ${changed[name]}`),
        sql` or `,
      ),
    })
})

function mapNames<Name extends string>(names: readonly Name[], toSql: (name: Name) => SQL): Record<Name, SQL> {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets the names
  return Object.fromEntries(names.map((name) => [name, toSql(name)])) as Record<Name, SQL>
}
