#!/usr/bin/env bash
# @date-fns/tz 1.5.0. One would guess that a `TZDate`, which names its time zone, does not depend on the zone of the computer.
# Of an hour that comes twice in its zone, it takes the first or the second one, depending on that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 @date-fns/tz@1.5.0
cat >twice.mjs <<'EOF'
import { TZDate } from '@date-fns/tz'
// In Madrid, clocks go back from 03:00 to 02:00.
console.log(`${process.env.TZ}: ${new TZDate(2027, 9, 31, 2, 30, 'Europe/Madrid').toISOString()}`)
EOF
for computer in UTC America/New_York Asia/Tokyo; do TZ=$computer node_modules/.bin/node twice.mjs; done >seen.txt
cat >expected.txt <<'EOF'
UTC: 2027-10-31T02:30:00.000+01:00
America/New_York: 2027-10-31T02:30:00.000+01:00
Asia/Tokyo: 2027-10-31T02:30:00.000+02:00
EOF
diff expected.txt seen.txt && echo "As described."
