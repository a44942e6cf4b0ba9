#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that D1 and the SQLite of a Durable Object, which is what D1
# is made of, bind a boolean alike. In D1 it is the number 1 or 0, in an object the text 'true' or 'false', which is not true.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >boolean.mjs <<'EOF'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const QUERY = "select ?1 as value, typeof(?1) as type, iif(?1, 'yes', 'no') as is_true"
export class Store extends DurableObject { run(value) { return this.ctx.storage.sql.exec(QUERY, value).one() } }
export default { async fetch(_, env) {
  const store = env.STORES.get(env.STORES.idFromName('a'))
  return Response.json({ D1: await env.DB.prepare(QUERY).bind(true).first(), object: await store.run(true) })
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  d1Databases: ['DB'], durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
const rows = await (await miniflare.dispatchFetch('http://worker/')).json()
for (const [place, row] of Object.entries(rows)) console.log(`${place}: ${JSON.stringify(row)}`)
await miniflare.dispose()
EOF
node_modules/.bin/node boolean.mjs >seen.txt
cat >expected.txt <<'EOF'
D1: {"value":1,"type":"real","is_true":"yes"}
object: {"value":"true","type":"text","is_true":"no"}
EOF
diff expected.txt seen.txt && echo "As described."
