#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that the cursor of `sql.exec` has either the rows of the moment of the
# call or those of the moment at which it is read. It has the first row of the one, and the others of the other: it is one row ahead.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >ahead.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const shown = (names) => names.join(' ') || 'none'
export class Store extends DurableObject {
  run(rows, change) {
    const { sql } = this.ctx.storage
    sql.exec('create table users (name)')
    for (const name of rows) sql.exec('insert into users values (?)', name)
    const cursor = sql.exec('select name from users')
    sql.exec(change)
    return shown(rows) + ', then ' + change + ': ' + shown(cursor.toArray().map(({ name }) => name))
  }
}
export default { fetch: async (_, { STORES }) => {
  const run = (...given) => STORES.get(STORES.newUniqueId()).run(...given)
  return Response.json([await run([], "insert into users values ('Ada')"), await run(['Ada'], "insert into users values ('Joan')"),
    await run(['Ada', 'Joan', 'Grace'], 'delete from users'), await run(['Ada', 'Joan', 'Grace'], "update users set name = 'Eva'")])
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node ahead.mjs >seen.txt
cat >expected.txt <<'END'
none, then insert into users values ('Ada'): none
Ada, then insert into users values ('Joan'): Ada Joan
Ada Joan Grace, then delete from users: Ada
Ada Joan Grace, then update users set name = 'Eva': Ada Eva Eva
END
diff expected.txt seen.txt && echo "As described."
