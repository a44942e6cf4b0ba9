/** Inspects the local databases: which migrations created them, and whether they contain data. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const MIGRATIONS = 'drizzle'

/** How a database differs from what the migrations in drizzle/ create. `state` is wrangler's folder (`--persist-to`). */
export function foreignDatabase(state: string): string | undefined {
  return databases(state)
    .map(difference)
    .find((found) => found !== undefined)
}

/** The file of the migrated database that has no event yet. Undefined if there is none, or more than one. */
export function unusedDatabase(state: string): string | undefined {
  const [file, ...more] = databases(state).filter((path) => hasEvents(path) === false)
  return more.length === 0 ? file : undefined
}

/** True if a local database contains events, or if a service has it open. */
export function isUsed(state: string): boolean {
  try {
    return databases(state).some((file) => hasEvents(file) === true)
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  }
}

/** SQLITE_BUSY: another process holds the lock of the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

export function databases(state: string): string[] {
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .map((name) => join(directory, name))
}

/** Undefined if the database has no tables yet. */
function hasEvents(file: string): boolean | undefined {
  using database = new DatabaseSync(file, { readOnly: true })
  const table = database.prepare("select 1 from sqlite_master where name = 'events'").get()
  return table && database.prepare('select 1 from events limit 1').get() !== undefined
}

function difference(file: string): string | undefined {
  using database = new DatabaseSync(file, { readOnly: true })
  if (database.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get() === undefined) return undefined
  const applied = database.prepare('select name from d1_migrations order by id').all()
  using expected = new DatabaseSync(':memory:')
  for (const { name } of applied) {
    const migration = join(MIGRATIONS, String(name))
    if (!existsSync(migration)) return `its migration ${String(name)} is no longer in ${MIGRATIONS}/`
    expected.exec(readFileSync(migration, 'utf8'))
  }
  return schemaOf(database) === schemaOf(expected) ? undefined : `a migration in ${MIGRATIONS}/ has changed since`
}

/** The schema as text, without the tables that D1 and SQLite create for themselves. */
function schemaOf(database: DatabaseSync): string {
  const objects = database
    .prepare(
      "select sql from sqlite_master where name not glob 'sqlite_*' and name not glob 'd1_*' and name not glob '_cf_*' order by type, name",
    )
    .all()
  return objects.map(({ sql }) => String(sql).replaceAll(/\s+/g, ' ')).join('\n')
}
