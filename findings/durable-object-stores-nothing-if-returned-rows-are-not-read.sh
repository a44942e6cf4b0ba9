#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that `sql.exec` of a Durable Object carries out an INSERT,
# whether or not the rows of its RETURNING are read. If they are not read to the end, the call fails with an internal error,
# and nothing is stored. A SELECT whose rows are not read does no harm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >unread.mjs <<'EOF'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const RUNS = {
  'no returning': (sql) => sql.exec('insert into t (b) values (1), (2)'),
  'returning, all read': (sql) => sql.exec('insert into t (b) values (1), (2) returning a').toArray(),
  'returning, one of two read': (sql) => sql.exec('insert into t (b) values (1), (2) returning a').next(),
  'returning, none read': (sql) => sql.exec('insert into t (b) values (1) returning a'),
  'a select that is not read': (sql) => [sql.exec('select a from t'), sql.exec('insert into t (b) values (1)')],
}
export class Store extends DurableObject {
  run(name) {
    this.ctx.storage.sql.exec('create table if not exists t (a integer primary key, b)')
    RUNS[name](this.ctx.storage.sql)
  }
  count() {
    const [{ n }] = this.ctx.storage.sql.exec("select count(*) as n from sqlite_master where name = 't'").toArray()
    return n === 0 ? 'no table' : this.ctx.storage.sql.exec('select count(*) as n from t').one().n + ' rows'
  }
}
export default { async fetch(_, env) {
  const lines = []
  for (const name of Object.keys(RUNS)) {
    const store = () => env.STORES.get(env.STORES.idFromName(name))
    const result = await store().run(name).then(() => 'done', (error) => error.message.replace(/ = .*/, ''))
    lines.push(name + ': ' + result + ', ' + (await store().count()))
  }
  return Response.json(lines)
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
EOF
node_modules/.bin/node unread.mjs 2>/dev/null >seen.txt
cat >expected.txt <<'EOF'
no returning: done, 2 rows
returning, all read: done, 2 rows
returning, one of two read: internal error; reference, no table
returning, none read: internal error; reference, no table
a select that is not read: done, 1 rows
EOF
diff expected.txt seen.txt && echo "As described."
