#!/usr/bin/env bash
# node 24.21.0 and miniflare 5.20261102.0-beta (workerd 1.20261102.1), both V8. One would guess that `new Date` reads any number of
# digits behind the second of an RFC 3339 date-time, and cuts them at the millisecond. With nine digits it does. With ten or more,
# the zeros right behind the point are lost: 0.0050000000 s is 50 ms, and 0.00500000000 s is 500 ms.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >fraction.mjs <<'END'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const TEXTS = ['5.005', '5.005000000', '5.0050000000', '5.00500000000', '5.0999999999', '5.1234567890'].map((s) => `2027-06-30T12:00:0${s}Z`)
const read = (texts) => texts.map((text) => `${text}: ${new Date(text).toISOString().slice(17, 23)}`)
const script = `export default { fetch: () => Response.json((${read})(${JSON.stringify(TEXTS)})) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01' }))
const inWorkerd = await (await miniflare.dispatchFetch('http://worker/')).json()
read(TEXTS).forEach((line, i) => console.log(line, inWorkerd[i] === line ? 'in both' : inWorkerd[i]))
await miniflare.dispose()
END
node_modules/.bin/node fraction.mjs >seen.txt
cat >expected.txt <<'END'
2027-06-30T12:00:05.005Z: 05.005 in both
2027-06-30T12:00:05.005000000Z: 05.005 in both
2027-06-30T12:00:05.0050000000Z: 05.050 in both
2027-06-30T12:00:05.00500000000Z: 05.500 in both
2027-06-30T12:00:05.0999999999Z: 05.999 in both
2027-06-30T12:00:05.1234567890Z: 05.123 in both
END
diff expected.txt seen.txt && echo "As described."
