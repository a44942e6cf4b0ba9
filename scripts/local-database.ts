/** Tells whether the local databases were made by other migrations than those in drizzle/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const MIGRATIONS = 'drizzle'

/** What a database has that drizzle/ would not make, in a few words; undefined when all fit. `state`: of wrangler. */
export function foreignDatabase(state: string): string | undefined {
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  if (!existsSync(directory)) return undefined
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .map((name) => difference(join(directory, name)))
    .find((found) => found !== undefined)
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
