#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that a whole number which is bound to a statement is an
# integer in SQL, as in every SQLite driver. In D1 and in the SQLite of a Durable Object it is a real: json_array(?) of an id
# gives 4294967297.0, which as text is another id.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >bind.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const SQL = 'select typeof(?1) as type, json_array(?1) as list'
export class Store extends DurableObject { ask() { return this.ctx.storage.sql.exec(SQL, 4294967297).one() } }
export default { fetch: async (_, env) => Response.json([await env.DB.prepare(SQL).bind(4294967297).first(),
  await env.STORES.get(env.STORES.idFromName('a')).ask()]) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  d1Databases: ['DB'], durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const { type, list } of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(type, list)
await miniflare.dispose()
END
node_modules/.bin/node bind.mjs >seen.txt
cat >expected.txt <<'END'
real [4294967297.0]
real [4294967297.0]
END
diff expected.txt seen.txt && echo "As described."
