#!/usr/bin/env bash
# xlsx 0.18.5, the newest on the registry. One would guess that a time of a cell is shown as 23:59 or as 00:00 of the next day. The
# last millisecond of a day is shown as 24:00 of that day in minutes, and as 23:59:00 in seconds: 59 s earlier.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat >show.mjs <<'END'
import XLSX from 'xlsx'
for (const pattern of ['yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm:ss']) console.log(XLSX.SSF.format(pattern, 46387.99999998843))
END
node show.mjs >seen.txt
cat >expected.txt <<'END'
2026-12-31 24:00
2026-12-31 23:59:00
END
diff expected.txt seen.txt && echo "As described."
