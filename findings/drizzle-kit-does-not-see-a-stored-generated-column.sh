#!/usr/bin/env bash
# drizzle-kit 0.31.11 with drizzle-orm 0.45.4. One would guess that a new column of the schema becomes a migration, or an error
# where SQLite cannot add it. A new STORED generated column (SQLite adds VIRTUAL ones only) is "No schema changes", exit code 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 drizzle-kit@0.31.11 drizzle-orm@0.45.4
export PATH="$folder/node_modules/.bin:$PATH"
schema() {
  echo "import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const people = sqliteTable('people', { id: integer().primaryKey(), email: text(), $1 })" >schema.ts
}
generate() { drizzle-kit generate --dialect=sqlite --schema=schema.ts --out=out </dev/null; }
schema '' && generate >/dev/null
schema "folded: text().generatedAlwaysAs(sql\`lower(email)\`, { mode: 'stored' })"
generate | grep -o 'No schema changes' >seen.txt
cat >expected.txt <<'END'
No schema changes
END
diff expected.txt seen.txt && echo "As described."
