#!/usr/bin/env bash
# wrangler 4.156.2, D1 locally. One would guess that an export holds what was stored. Text with a line break is written as
# replace('…', '\n', char(10)) without a look whether the text has a backslash and an n of its own: these come back as a line
# break, too. (The shell of SQLite, which writes the same form, chooses a marker that the text does not have.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 wrangler@4.156.2
export PATH="$folder/node_modules/.bin:$PATH" WRANGLER_SEND_METRICS=false CI=true
printf 'name = "x"\ncompatibility_date = "2026-10-01"\n[[d1_databases]]\nbinding = "A"\ndatabase_name = "a"\ndatabase_id = "a"\n[[d1_databases]]\nbinding = "B"\ndatabase_name = "b"\ndatabase_id = "b"\n' >wrangler.toml
text="'one' || char(10) || 'C:' || char(92) || 'new'"
wrangler d1 execute A --local --command "create table t (v text); insert into t values ($text)" >/dev/null 2>&1
wrangler d1 export A --local --output dump.sql >/dev/null 2>&1
wrangler d1 execute B --local --file dump.sql >/dev/null 2>&1
for name in A B; do
  wrangler d1 execute $name --local --json --command 'select hex(v) as stored from t' 2>/dev/null | grep -o '"stored": "[0-9A-F]*"'
done >seen.txt
cat >expected.txt <<'END'
"stored": "6F6E650A433A5C6E6577"
"stored": "6F6E650A433A0A6577"
END
diff expected.txt seen.txt && echo "As described."
