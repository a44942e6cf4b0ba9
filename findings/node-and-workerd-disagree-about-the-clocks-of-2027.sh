#!/usr/bin/env bash
# node 24.21.0 and workerd 1.20261102.1 (miniflare 5.20261102.0-beta), both of autumn 2026. One would guess that they agree when
# clocks change. For Winnipeg and Inuvik they do not, from 2027 on: each brings its own release of the time zone data, and
# workerd says nowhere which. A date that one computes and the other shows can be an hour, and so a day, apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >offsets.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const offsets = `['Europe/Lisbon', 'America/Winnipeg', 'America/Inuvik'].map((timeZone) => timeZone + ' ' +
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(Date.UTC(2027, 0, 15)).at(-1).value)`
const script = `export default { fetch: () => Response.json(${offsets}) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01' }))
const [here, there] = [eval(offsets), await (await miniflare.dispatchFetch('http://worker/')).json()]
await miniflare.dispose()
here.forEach((text, i) => console.log(text, text === there[i] ? 'in both' : `in node, ${there[i].split(' ')[1]} in workerd`))
END
node_modules/.bin/node offsets.mjs >seen.txt
cat >expected.txt <<'END'
Europe/Lisbon GMT+00:00 in both
America/Winnipeg GMT-06:00 in node, GMT-05:00 in workerd
America/Inuvik GMT-07:00 in node, GMT-06:00 in workerd
END
diff expected.txt seen.txt && echo "As described."
