#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that an `alarm()` that throws is repeated after two seconds, then four,
# and is given up in the end, as is documented. If it has set another alarm before it throws, nothing is repeated: the other alarm
# rings at its time, and `retryCount` is 0 each time, however often it fails.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >next.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export class Store extends DurableObject {
  rings = []
  async alarm({ retryCount }) {
    this.rings.push(retryCount)
    if (this.setsNext && this.rings.length < 10) await this.ctx.storage.setAlarm(Date.now() + 10)
    if (this.rings.length < 10) throw new Error('the database is down')
  }
  async run(setsNext, rings) {
    this.setsNext = setsNext
    await this.ctx.storage.setAlarm(Date.now())
    while (this.rings.length < rings) await pause(20)
    await this.ctx.storage.deleteAlarm()
    return (setsNext ? 'sets the next alarm' : 'sets none') + ': retryCount is ' + this.rings.join(', ')
  }
}
export default { fetch: async (_, { STORES }) => {
  const store = (name) => STORES.get(STORES.idFromName(name))
  return Response.json([await store('a').run(false, 3), await store('b').run(true, 10)])
} }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node next.mjs 2>/dev/null >seen.txt
cat >expected.txt <<'END'
sets none: retryCount is 0, 1, 2
sets the next alarm: retryCount is 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
END
diff expected.txt seen.txt && echo "As described."
