#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that `setAlarm(now)` rings now, whatever happened to an earlier
# alarm. If that one has failed and is to be repeated in two seconds, the new one waits for the repetition, although `getAlarm` says
# the new time, and then counts as that: `isRetry` is true and `scheduledTime` the old one. A later time replaces the repetition.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >wait.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const script = `import { DurableObject } from 'cloudflare:workers'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export class Store extends DurableObject {
  rings = []
  alarm({ isRetry, scheduledTime }) {
    this.rings.push({ isRetry, scheduledTime, at: Date.now() })
    if (this.rings.length === 1) throw new Error('the database is down')
  }
  async run(delay) {
    const { storage } = this.ctx
    await storage.setAlarm(Date.now())
    while (this.rings.length === 0) await pause(20)
    await pause(200)
    const time = Date.now() + delay
    await storage.setAlarm(time)
    const isNoted = (await storage.getAlarm()) === time
    while (this.rings.length === 1) await pause(20)
    const { isRetry, scheduledTime, at } = this.rings[1]
    return 'set to ' + delay + ' ms from now, noted: ' + isNoted + ', half a second late: ' + (at - time > 500) +
      ', isRetry: ' + isRetry + ', scheduled for this time: ' + (scheduledTime === time)
  }
}
export default { fetch: async (_, { STORES }) =>
  Response.json(await Promise.all([0, 100, 6000].map((delay) => STORES.get(STORES.idFromName(delay)).run(delay)))) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01',
  durableObjects: { STORES: { className: 'Store', useSQLite: true } } }))
for (const line of await (await miniflare.dispatchFetch('http://worker/')).json()) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node wait.mjs 2>/dev/null >seen.txt
cat >expected.txt <<'END'
set to 0 ms from now, noted: true, half a second late: true, isRetry: true, scheduled for this time: false
set to 100 ms from now, noted: true, half a second late: true, isRetry: true, scheduled for this time: false
set to 6000 ms from now, noted: true, half a second late: false, isRetry: false, scheduled for this time: true
END
diff expected.txt seen.txt && echo "As described."
