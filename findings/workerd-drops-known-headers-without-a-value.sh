#!/usr/bin/env bash
# miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that a header with an empty value arrives as the empty string,
# so that a Worker can reject it. Headers that workerd does not know do; `If-Match` is not there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >headers.mjs <<'END'
import { createServer, connect } from 'node:net'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const probe = createServer().listen(0, '127.0.0.1')
await new Promise((resolve) => probe.once('listening', resolve))
const { port } = probe.address()
await new Promise((resolve) => probe.close(resolve))
const contents = `export default { fetch: ({ headers }) =>
  Response.json(['if-match', 'user-agent', 'idempotency-key', 'x-other'].map((name) => name + ': ' + headers.get(name))) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ workers: [{ name: 'shop', cf: false, compatibilityDate: '2026-10-01',
  modules: [{ type: 'ESModule', path: 'index.mjs', contents }], unsafeDirectSockets: [{ host: '127.0.0.1', port }] }] }))
await miniflare.ready
const socket = connect(port, '127.0.0.1')
let text = ''
socket.on('data', (data) => (text += data))
socket.write('GET / HTTP/1.1\r\nHost: shop\r\nIf-Match:\r\nUser-Agent:\r\nIdempotency-Key:\r\nX-Other:\r\nConnection: close\r\n\r\n')
await new Promise((resolve) => socket.once('close', resolve))
for (const line of JSON.parse(text.slice(text.indexOf('[')).replace(/\r\n0\r\n[^]*/, ''))) console.log(line)
await miniflare.dispose()
END
node_modules/.bin/node headers.mjs | sed 's/ *$//' >seen.txt
cat >expected.txt <<'END'
if-match: null
user-agent: null
idempotency-key:
x-other:
END
diff expected.txt seen.txt && echo "As described."
