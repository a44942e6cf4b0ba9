#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that of two lower bounds of an id SQLite begins at the higher one,
# or that at least their order makes no difference. It begins at the one that is written first, and D1 counts, and bills, every row
# from there on. The same is true for two upper bounds, and of `between` with another bound behind it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >bounds.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `export default { async fetch(_, { DB }) {
  await DB.prepare('create table events (id integer primary key, text)').run()
  await DB.prepare('insert into events with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000) select i, 1 from n').run()
  const lines = []
  const bounds = ['id >= 991', 'id >= 991 and id >= 1', 'id >= 1 and id >= 991', 'id >= max(1, 991)',
    'id <= 10 and id <= 1000', 'id <= 1000 and id <= 10', 'id between 1 and 1000 and id >= 991']
  for (const bound of bounds) {
    const { results, meta } = await DB.prepare('select id from events where ' + bound).all()
    lines.push(bound + ': ' + results.length + ' found, ' + meta.rows_read + ' read')
  }
  return Response.json(lines)
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01', d1Databases: ['DB'] }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node bounds.mjs >seen.txt
cat >expected.txt <<'END'
id >= 991: 10 found, 10 read
id >= 991 and id >= 1: 10 found, 10 read
id >= 1 and id >= 991: 10 found, 1000 read
id >= max(1, 991): 10 found, 10 read
id <= 10 and id <= 1000: 10 found, 11 read
id <= 1000 and id <= 10: 10 found, 1000 read
id between 1 and 1000 and id >= 991: 10 found, 1000 read
END
diff expected.txt seen.txt && echo "As described."
