/** Tells whether the local databases were made by other migrations than those in drizzle/, and which are unused. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const MIGRATIONS = 'drizzle'

/** What a database has that drizzle/ would not make, in a few words; undefined when all fit. `state`: of wrangler. */
export function foreignDatabase(state: string): string | undefined {
  return databases(state)
    .map(difference)
    .find((found) => found !== undefined)
}

/** The file of the one database in which nothing has happened yet; undefined where there is none, or more than one. */
export function unusedDatabase(state: string): string | undefined {
  const [file, ...more] = databases(state).filter(isUnused)
  return more.length === 0 ? file : undefined
}

/** The files of the local databases. */
export function databases(state: string): string[] {
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .map((name) => join(directory, name))
}

function isUnused(file: string): boolean {
  using database = new DatabaseSync(file, { readOnly: true })
  const hasEvents = database.prepare("select 1 from sqlite_master where name = 'events'").get() !== undefined
  return hasEvents && database.prepare('select 1 from events limit 1').get() === undefined
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

/** As text, without what D1 and SQLite keep for themselves. */
function schemaOf(database: DatabaseSync): string {
  const objects = database
    .prepare(
      "select sql from sqlite_master where name not glob 'sqlite_*' and name not glob 'd1_*' and name not glob '_cf_*' order by type, name",
    )
    .all()
  return objects.map(({ sql }) => String(sql).replaceAll(/\s+/g, ' ')).join('\n')
}
