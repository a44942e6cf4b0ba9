#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). A deployment leaves objects on the code of before for a while, which may lack a
# method that the new Worker calls. One would guess an error with `retryable`, as for an object that was replaced. It is a TypeError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >method.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
export class Store extends DurableObject { read() { return 'read' } }
export default { async fetch(_, env) {
  const store = env.STORES.get(env.STORES.idFromName('a'))
  const { name, message, retryable, remote } = await store.extend().catch((error) => error)
  return Response.json([await store.read(), name + ': ' + message, 'retryable: ' + retryable, 'remote: ' + remote])
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node method.mjs >seen.txt
cat >expected.txt <<'END'
read
TypeError: The RPC receiver does not implement the method "extend".
retryable: undefined
remote: true
END
diff expected.txt seen.txt && echo "As described."
