#!/usr/bin/env bash
# node 24.21.0 (ICU 78). One would guess that Intl.supportedValuesOf('timeZone') is what a select of zones needs: every zone, by
# the name of today. UTC is not in it, India is Asia/Calcutta, Ukraine Europe/Kiev, Nuuk America/Godthab; and a formatter that was
# made with the name of today resolves to the old one, so two equal zones can have names that differ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >zones.mjs <<'END'
const listed = Intl.supportedValuesOf('timeZone')
for (const name of ['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk']) {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
  console.log(name, listed.includes(name) ? 'is listed' : 'is not listed', 'and resolves to', timeZone)
}
END
node_modules/.bin/node zones.mjs >seen.txt
cat >expected.txt <<'END'
UTC is not listed and resolves to UTC
Asia/Kolkata is not listed and resolves to Asia/Calcutta
Europe/Kyiv is not listed and resolves to Europe/Kiev
America/Nuuk is not listed and resolves to America/Godthab
END
diff expected.txt seen.txt && echo "As described."
