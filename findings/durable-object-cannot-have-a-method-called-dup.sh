#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that every public method of a Durable Object can be called
# over RPC. `dup` cannot: stubs have a method of that name. It compiles, and fails when it is called.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >dup.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
export class Store extends DurableObject { dup() { return 'dup' } copy() { return 'copy' } }
export default { async fetch(_, env) {
  const store = env.STORES.get(env.STORES.idFromName('a'))
  return Response.json([await store.copy(), await store.dup().catch((error) => error.message)])
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node dup.mjs >seen.txt
cat >expected.txt <<'END'
copy
'dup' is a reserved method and cannot be called over RPC.
END
diff expected.txt seen.txt && echo "As described."
