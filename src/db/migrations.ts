/** The migrations of a store's own database. D1 gets the same files from wrangler. */
import { MIGRATIONS } from './migration-files.ts'

/** Applies those that the database does not have yet, or none if one fails. */
export function migrate(storage: DurableObjectStorage): void {
  const { sql } = storage
  sql.exec('create table if not exists applied_migrations (name text primary key) without rowid')
  const applied = new Set([...sql.exec('select name from applied_migrations')].map(({ name }) => name))
  const missing = MIGRATIONS.filter(({ name }) => !applied.has(name))
  if (missing.length === 0) return
  storage.transactionSync(() => {
    for (const { name, text } of missing) {
      sql.exec(text)
      sql.exec('insert into applied_migrations values (?)', name)
    }
  })
}

/** False for an object that nobody has used. It creates no table. */
export function hasTables({ sql }: DurableObjectStorage): boolean {
  return sql.exec("select 1 from sqlite_master where name = 'applied_migrations'").toArray().length > 0
}
