#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that SQLite leaves out the second part of an `or` when the first is
# true, as JavaScript does, and as SQLite itself does in a WHERE. If the value of the `or` is selected, it evaluates both: here json()
# of a text that is no JSON, which is an error. As the condition of iif() or CASE the same `or` ends at its first part, and a
# part that is a subquery is left out in any case. For `and` it is the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >parts.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `export default { async fetch(_, { DB }) {
  await DB.batch([DB.prepare('create table users (id integer primary key, fields)'), DB.prepare("insert into users values (1, 'none')")])
  const either = 'id = 1 or json(fields)'
  const queries = ['select 1 as value from users where ' + either, 'select ' + either + ' as value from users',
    'select iif(' + either + ', 1, 0) as value from users', 'select case when ' + either + ' then 1 end as value from users',
    'select id = 2 and json(fields) as value from users', 'select id = 1 or (select json(fields)) as value from users']
  const lines = []
  for (const query of queries) lines.push(query + ': ' + (await DB.prepare(query).first('value').catch((error) => error.message)))
  return Response.json(lines)
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01', d1Databases: ['DB'] }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node parts.mjs >seen.txt
cat >expected.txt <<'END'
select 1 as value from users where id = 1 or json(fields): 1
select id = 1 or json(fields) as value from users: D1_ERROR: malformed JSON: SQLITE_ERROR
select iif(id = 1 or json(fields), 1, 0) as value from users: 1
select case when id = 1 or json(fields) then 1 end as value from users: 1
select id = 2 and json(fields) as value from users: D1_ERROR: malformed JSON: SQLITE_ERROR
select id = 1 or (select json(fields)) as value from users: 1
END
diff expected.txt seen.txt && echo "As described."
