#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that a method of a Durable Object can return what
# `structuredClone` copies. Not an object without a prototype, and that is what `Object.groupBy` makes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >group.mjs <<'EOF'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const groups = () => Object.groupBy([1, 2, 3], (number) => (number % 2 ? 'odd' : 'even'))
export class Store extends DurableObject {
  grouped() { return groups() }
  spread() { return { ...groups() } }
  map() { return Map.groupBy([1, 2, 3], (number) => (number % 2 ? 'odd' : 'even')) }
}
export default { async fetch(_, env) {
  const store = env.STORES.get(env.STORES.idFromName('a'))
  return Response.json([
    'structuredClone: ' + JSON.stringify(structuredClone(groups())),
    'returned: ' + (await store.grouped().then(JSON.stringify, (error) => error.name + ': ' + error.message)),
    'returned as { ...groups }: ' + JSON.stringify(await store.spread()),
    'returned as a Map: ' + JSON.stringify([...(await store.map())]),
  ])
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
EOF
node_modules/.bin/node group.mjs >seen.txt
cat >expected.txt <<'EOF'
structuredClone: {"odd":[1,3],"even":[2]}
returned: DataCloneError: Could not serialize object of type "Object". This type does not support serialization.
returned as { ...groups }: {"odd":[1,3],"even":[2]}
returned as a Map: [["odd",[1,3]],["even",[2]]]
EOF
diff expected.txt seen.txt && echo "As described."
