#!/usr/bin/env bash
# numfmt 4.0.1. One would guess that a moment is shown on one day, whatever the format. The last millisecond of 2026 is 2026-12-31
# in a format with the day alone, and 2027-01-01 00:00 in one with minutes, because it rounds to the smallest unit shown. (LibreOffice
# shows the same; so an end of a day that is written with its milliseconds is read by people as the next day.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund numfmt@4.0.1
cat >show.mjs <<'END'
import numfmt from 'numfmt'
for (const pattern of ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd hh:mm:ss.000'])
  console.log(numfmt.format(pattern, 46387.99999998843))
END
node show.mjs >seen.txt
cat >expected.txt <<'END'
2026-12-31
2027-01-01 00:00
2027-01-01 00:00:00
2026-12-31 23:59:59.999
END
diff expected.txt seen.txt && echo "As described."
