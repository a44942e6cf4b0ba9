#!/usr/bin/env bash
# node 24.21.0 (V8 13.6). One would guess that what JSON.rawJSON has made is kept by structuredClone like other values of JSON, or at
# least as the object that typeof says it is. It is rejected, and so IndexedDB and postMessage of the same engine reject it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >clone.mjs <<'END'
const number = JSON.parse('{"id":12345678901234567890}', (_key, value, { source }) =>
  typeof value === 'number' ? JSON.rawJSON(source) : value,
).id
console.log(typeof number, JSON.stringify(number))
try {
  console.log(structuredClone(number))
} catch (error) {
  console.log(error.name)
}
END
node_modules/.bin/node clone.mjs >seen.txt
cat >expected.txt <<'END'
object 12345678901234567890
DataCloneError
END
diff expected.txt seen.txt && echo "As described."
