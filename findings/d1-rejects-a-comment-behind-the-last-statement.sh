#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that SQL may end with a comment, as SQLite allows, also behind
# the last semicolon. D1 and the SQLite of a Durable Object reject it: what follows the semicolon counts as a statement.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >comment.mjs <<'EOF'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { DatabaseSync } from 'node:sqlite'
const TEXTS = ['select 1 as a; -- end', 'select 1 as a;;', 'select 1 as a -- end']
const script = `import { DurableObject } from 'cloudflare:workers'
export class Store extends DurableObject { run(text) { return this.ctx.storage.sql.exec(text).toArray() } }
export default { async fetch(_, env) {
  const store = env.STORES.get(env.STORES.idFromName('a'))
  const shown = (promise) => promise.then(JSON.stringify, (error) => error.message)
  const lines = []
  for (const text of ${JSON.stringify(TEXTS)}) {
    lines.push(text + ' | D1: ' + (await shown(env.DB.prepare(text).all().then(({ results }) => results))))
    lines.push(text + ' | object: ' + (await shown(store.run(text))))
  }
  return Response.json(lines)
} }`
for (const text of TEXTS) console.log(`${text} | SQLite: ${JSON.stringify(new DatabaseSync(':memory:').prepare(text).all())}`)
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  d1Databases: ['DB'], durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
EOF
node_modules/.bin/node comment.mjs >seen.txt
cat >expected.txt <<'EOF'
select 1 as a; -- end | SQLite: [{"a":1}]
select 1 as a;; | SQLite: [{"a":1}]
select 1 as a -- end | SQLite: [{"a":1}]
select 1 as a; -- end | D1: D1_ERROR: SQL code did not contain a statement.
select 1 as a; -- end | object: SQL code did not contain a statement.
select 1 as a;; | D1: D1_ERROR: SQL code did not contain a statement.
select 1 as a;; | object: SQL code did not contain a statement.
select 1 as a -- end | D1: [{"a":1}]
select 1 as a -- end | object: [{"a":1}]
EOF
diff expected.txt seen.txt && echo "As described."
