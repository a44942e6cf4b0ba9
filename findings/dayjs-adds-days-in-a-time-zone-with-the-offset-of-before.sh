#!/usr/bin/env bash
# dayjs 1.11.23. One would guess that a day or a month later, in a time zone, is the same time of day: 12:00 in Madrid. It says
# 12:00, with the offset of the day from which it counts; in that zone this moment is 13:00. `endOf('month')` is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 dayjs@1.11.23
cat >days.mjs <<'EOF'
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import timezone from 'dayjs/plugin/timezone.js'
dayjs.extend(utc)
dayjs.extend(timezone)
const zone = 'Europe/Madrid'
// Its clocks go forward on 28 March 2027.
for (const [from, count, unit] of [['2027-03-27 12:00', 1, 'day'], ['2027-03-15 12:00', 1, 'month']]) {
  const later = dayjs.tz(from, zone).add(count, unit)
  console.log(`${from} and a ${unit}: ${later.format()}, which is ${dayjs.tz(later.valueOf(), zone).format()}`)
}
console.log(`end of the month: ${dayjs.tz('2027-03-15 12:00', zone).endOf('month').format()}`)
EOF
for computer in UTC America/New_York; do TZ=$computer node_modules/.bin/node days.mjs; done >seen.txt
cat >expected.txt <<'EOF'
2027-03-27 12:00 and a day: 2027-03-28T12:00:00+01:00, which is 2027-03-28T13:00:00+02:00
2027-03-15 12:00 and a month: 2027-04-15T12:00:00+01:00, which is 2027-04-15T13:00:00+02:00
end of the month: 2027-03-31T23:59:59+02:00
2027-03-27 12:00 and a day: 2027-03-28T12:00:00+01:00, which is 2027-03-28T13:00:00+02:00
2027-03-15 12:00 and a month: 2027-04-15T12:00:00+01:00, which is 2027-04-15T13:00:00+02:00
end of the month: 2027-03-31T23:59:59+02:00
EOF
diff expected.txt seen.txt && echo "As described."
