#!/usr/bin/env bash
# node 24.21.0. One would guess that readline ends a line at \n, \r\n and \r, as its documentation says, so that a file of one
# JSON value or one SQL statement a line is read line by line. It also ends one at U+2028 and U+2029, which JSON and SQL keep as
# they are inside of a string.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >lines.mjs <<'EOF'
import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
const text = `${JSON.stringify({ name: 'Ada\u2028Lovelace' })}\n${JSON.stringify({ name: 'Alan' })}\n`
console.log(`by \\n: ${text.trimEnd().split('\n').length} lines`)
let count = 0
for await (const line of createInterface({ input: Readable.from([Buffer.from(text)]) })) {
  count += 1
  console.log(JSON.stringify(line))
}
console.log(`by readline: ${count} lines`)
EOF
node_modules/.bin/node lines.mjs >seen.txt
cat >expected.txt <<'EOF'
by \n: 2 lines
"{\"name\":\"Ada"
"Lovelace\"}"
"{\"name\":\"Alan\"}"
by readline: 3 lines
EOF
diff expected.txt seen.txt && echo "As described."
