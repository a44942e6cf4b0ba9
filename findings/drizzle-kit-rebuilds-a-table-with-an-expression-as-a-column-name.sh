#!/usr/bin/env bash
# drizzle-kit 0.31.11 with drizzle-orm 0.45.4. One would guess that a changed CHECK becomes a migration that can be applied. It
# rebuilds the table, and writes an index on an expression again as if the expression were the name of a column, so SQLite
# rejects the migration.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 drizzle-kit@0.31.11 drizzle-orm@0.45.4
export PATH="$folder/node_modules/.bin:$PATH"
schema() {
  echo "import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
export const stores = sqliteTable('stores', { id: integer().primaryKey() }, (table) => [
  index('stores_number').on(sql\`(id >> 32)\`), check('stores_range', sql\`id > $1\`) ])" >schema.ts
}
generate() { drizzle-kit generate --dialect=sqlite --schema=schema.ts --out=out </dev/null >/dev/null; }
schema 0 && generate
schema 1 && generate
cat >apply.mjs <<'END'
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
const database = new DatabaseSync(':memory:')
for (const name of readdirSync('out').filter((each) => each.endsWith('.sql')).toSorted()) {
  const sql = readFileSync(`out/${name}`, 'utf8')
  try {
    database.exec(sql)
    console.log('applied')
  } catch (error) {
    console.log(`${/DROP TABLE/.test(sql) ? 'a rebuild' : 'no rebuild'}: ${error.message}`)
  }
}
END
node --no-warnings apply.mjs >seen.txt
cat >expected.txt <<'END'
applied
a rebuild: no such column: (id >> 32)
END
diff expected.txt seen.txt && echo "As described."
