#!/usr/bin/env bash
# node 24.21.0 (ICU 78) and 20.9.0 (ICU 73). One would guess that a code of two letters for which `Intl.DisplayNames` has a name is a
# country of ISO 3166-1, which has 249, and that a country has one name in a language. Regions that are none have names, too, their
# number and names change with ICU, and some names belong to two codes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 node20@npm:node@20.9.0
cat >regions.mjs <<'EOF'
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const namesIn = (language) => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return letters.flatMap((a) => letters.map((b) => [a + b, names.of(a + b)])).filter(([, name]) => name !== undefined)
}
const names = new Map(namesIn('en'))
const spanish = new Map(namesIn('es'))
console.log(`ICU ${process.versions.icu}: ${names.size} names in English, ${spanish.size} in Spanish; CQ in Spanish: ${spanish.get('CQ')}`)
for (const code of ['RU', 'SU', 'EU', 'TL', 'TP']) console.log(`${code}: ${names.get(code)}`)
console.log(`TL in Mexico: ${new Map(namesIn('es-MX')).get('TL')}`)
EOF
for binary in node node20; do
  file=$(find "node_modules/$binary" -path '*/bin/node' -type f -size +1M | head -n 1)
  "$file" regions.mjs
done >seen.txt
cat >expected.txt <<'EOF'
ICU 78.3: 280 names in English, 280 in Spanish; CQ in Spanish: Sark
RU: Russia
SU: Russia
EU: European Union
TL: Timor-Leste
TP: Timor-Leste
TL in Mexico: Timor Oriental
ICU 73.2: 280 names in English, 279 in Spanish; CQ in Spanish: undefined
RU: Russia
SU: Russia
EU: European Union
TL: Timor-Leste
TP: Timor-Leste
TL in Mexico: Timor-Leste
EOF
diff expected.txt seen.txt && echo "As described."
