#!/usr/bin/env bash
# drizzle-kit 0.31.11 with drizzle-orm 0.45.4. One would guess that a generator which cannot go on fails. A column that
# disappears beside a new one makes it ask whether it was renamed; without a terminal it says so, writes nothing and exits
# with 0, so a check by its exit code says that the migrations are up to date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 drizzle-kit@0.31.11 drizzle-orm@0.45.4
export PATH="$folder/node_modules/.bin:$PATH"
schema() {
  echo "import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const fields = sqliteTable('fields', { id: integer().primaryKey(), $1: text() })" >schema.ts
}
generate() { drizzle-kit generate --dialect=sqlite --schema=schema.ts --out=out </dev/null >log.txt 2>&1; }
schema label && generate
schema title
code=0
generate || code=$?
{
  echo "exit code $code, migrations: $(ls out/*.sql | wc -l | tr -d ' ')"
  grep -o 'Interactive prompts require a TTY terminal' log.txt | head -n 1
} >seen.txt
cat >expected.txt <<'END'
exit code 0, migrations: 1
Interactive prompts require a TTY terminal
END
diff expected.txt seen.txt && echo "As described."
