#!/usr/bin/env bash
# node 24.21.0, and workerd 1.20261102.1 with miniflare 5.20261102.0-beta. One would guess that `fetch` rejects a compressed body that
# ends before the compressed data does, because the format shows where its end is. `fetch` of Node takes half of a gzip, deflate or
# Brotli body as the whole one, as long as the connection ends properly. It rejects half of a Zstandard body. DecompressionStream of
# the same Node, and `fetch` of workerd, reject what is cut off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1
cat >half.mjs <<'END'
import { createServer } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const whole = Array.from({ length: 20_000 }, (_, i) => `${i},user${(i * 7919) % 10_007}@example.com\r\n`).join('')
const bodies = { gzip: gzipSync(whole), deflate: deflateSync(whole), br: brotliCompressSync(whole), zstd: zstdCompressSync(whole) }
const server = createServer(({ url }, response) => {
  const body = bodies[url.slice(1)]
  // No Content-Length: the response ends with an empty chunk, as a whole one does.
  response.writeHead(200, { 'Content-Encoding': url.slice(1) }).write(body.subarray(0, body.length / 2))
  response.end()
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const result = (promise) => promise.then(({ length }) => (length < whole.length ? 'a part, as if it were whole' : 'whole'), ({ name }) => name)
const inNode = async (encoding) => (await fetch(`${origin}/${encoding}`)).text()
for (const encoding of Object.keys(bodies)) console.log(`node, fetch, ${encoding}: ${await result(inNode(encoding))}`)
const stream = new Blob([bodies.gzip.subarray(0, bodies.gzip.length / 2)]).stream().pipeThrough(new DecompressionStream('gzip'))
console.log(`node, DecompressionStream, gzip: ${await result(new Response(stream).text())}`)
const script = `export default { fetch: async (request) => new Response(await (await fetch(await request.text())).text()
  .then(() => 'a part', ({ name }) => name)) }`
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: '2026-10-01' }))
for (const encoding of ['gzip', 'br']) {
  const answer = await miniflare.dispatchFetch('http://worker/', { method: 'POST', body: `${origin}/${encoding}` })
  console.log(`workerd, fetch, ${encoding}: ${await answer.text()}`)
}
await miniflare.dispose()
server.close()
END
node_modules/.bin/node half.mjs >seen.txt
cat >expected.txt <<'END'
node, fetch, gzip: a part, as if it were whole
node, fetch, deflate: a part, as if it were whole
node, fetch, br: a part, as if it were whole
node, fetch, zstd: TypeError
node, DecompressionStream, gzip: TypeError
workerd, fetch, gzip: TypeError
workerd, fetch, br: TypeError
END
diff expected.txt seen.txt && echo "As described."
