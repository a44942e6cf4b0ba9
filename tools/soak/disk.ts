/** Reads what is on the disk of the service: D1, and the databases of the objects. The service must have stopped. */
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** All rows of each table as text, in all databases. */
export function readTables(persistTo: string): Map<string, string> {
  const tables = new Map<string, string>()
  for (const file of globSync(`${persistTo}/**/*.sqlite`)) {
    const db = new DatabaseSync(file, { readOnly: true })
    const names = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
    for (const name of names.map((row) => String(row['name']))) {
      const statement = db.prepare(`select * from "${name}"`)
      // Alarms are in nanoseconds, which are too large for a number.
      statement.setReadBigInts(true)
      const rows = statement.all().map((row) => Object.values(row).join(' '))
      tables.set(name, [tables.get(name) ?? '', ...rows].join('\n'))
    }
    db.close()
  }
  return tables
}
