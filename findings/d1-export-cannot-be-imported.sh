#!/usr/bin/env bash
# wrangler 4.156.2, D1 locally. One would guess that `d1 execute --file` takes what `d1 export` has written. Tables come in the
# order of their creation: if a child was created before its parent, its rows refer to a table that does not exist yet. Deferred
# foreign keys, which the file sets, do not help, and D1 cannot switch them off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 wrangler@4.156.2
export PATH="$folder/node_modules/.bin:$PATH" WRANGLER_SEND_METRICS=false CI=true
printf 'name = "x"\ncompatibility_date = "2026-10-01"\n[[d1_databases]]\nbinding = "A"\ndatabase_name = "a"\ndatabase_id = "a"\n[[d1_databases]]\nbinding = "B"\ndatabase_name = "b"\ndatabase_id = "b"\n' >wrangler.toml
cat >schema.sql <<'END'
create table accesses (id integer primary key, product_id integer references products(id));
create table products (id integer primary key);
insert into products values (1);
insert into accesses values (2, 1);
END
wrangler d1 execute A --local --file schema.sql >/dev/null 2>&1
wrangler d1 export A --local --output dump.sql >/dev/null 2>&1
wrangler d1 execute B --local --file dump.sql >log.txt 2>&1 && echo imported >seen.txt ||
  grep -o 'no such table: main.products' log.txt | head -n 1 >seen.txt
cat >expected.txt <<'END'
no such table: main.products
END
diff expected.txt seen.txt && echo "As described."
