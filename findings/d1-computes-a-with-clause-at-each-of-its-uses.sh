#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that a query in WITH which is used several times is computed once,
# as SQLite's documentation says of it. If it selects only expressions, SQLite puts them in the place of each use, and D1 counts, and
# bills, their rows each time. With DISTINCT, or AS MATERIALIZED, it is computed once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >uses.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `export default { async fetch(_, { DB }) {
  await DB.prepare('create table events (id integer primary key, time integer)').run()
  await DB.prepare('insert into events with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000) select i, i from n').run()
  const lines = []
  const total = '(select sum(time) from events) as total from (select 1)'
  for (const [name, query] of [['plain', '(select ' + total], ['distinct', '(select distinct ' + total], ['materialized', 'materialized (select ' + total]])
    for (const uses of [1, 3]) {
      const used = Array.from({ length: uses }, (_, n) => '(select totals.total from totals) as use' + n)
      const { meta } = await DB.prepare('with totals as ' + query + ') select ' + used).all()
      lines.push(name + ', used ' + uses + ' times: ' + Math.round(meta.rows_read / 1000) + ' thousand rows read')
    }
  return Response.json(lines)
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01', d1Databases: ['DB'] }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node uses.mjs >seen.txt
cat >expected.txt <<'END'
plain, used 1 times: 1 thousand rows read
plain, used 3 times: 3 thousand rows read
distinct, used 1 times: 1 thousand rows read
distinct, used 3 times: 1 thousand rows read
materialized, used 1 times: 1 thousand rows read
materialized, used 3 times: 1 thousand rows read
END
diff expected.txt seen.txt && echo "As described."
