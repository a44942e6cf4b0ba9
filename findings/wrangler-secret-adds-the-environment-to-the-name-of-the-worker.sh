#!/usr/bin/env bash
# wrangler 4.156.2. One would guess that `--name shop-blue --env staging` means one Worker for all commands. For `wrangler deploy` it is
# shop-blue, because `--name` is its whole name. For `wrangler secret` it is shop-blue-staging: `secret put` creates that Worker if it
# is missing, and reports a success, while shop-blue remains without the secret.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 wrangler@4.156.2
printf 'name = "shop"\nmain = "index.js"\ncompatibility_date = "2026-10-01"\n[env.staging]\n' >wrangler.toml
echo 'export default { fetch: () => new Response("shop") }' >index.js
cat >account.mjs <<'END'
// An account without a Worker, which accepts everything and notes what was changed.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const { method, url } = request
  if (method !== 'GET') console.log(method, url.replace(/^.*\/workers|\?.*$/g, ''))
  const isMissing = method === 'GET' && /services|secrets|deployments/.test(url)
  response.writeHead(isMissing ? 404 : 200, { 'Content-Type': 'application/json' })
  const errors = isMissing ? [{ code: 10007, message: 'not found' }] : []
  response.end(JSON.stringify({ success: !isMissing, errors, messages: [], result: { subdomain: 'shops' } }))
}).listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
END
export PATH="$folder/node_modules/.bin:$PATH"
node account.mjs >requests.txt & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
while [ ! -s port ]; do sleep 0.1; done
export CI=1 WRANGLER_SEND_METRICS=false CLOUDFLARE_API_TOKEN=none CLOUDFLARE_ACCOUNT_ID=00000000000000000000000000000001
export CLOUDFLARE_API_BASE_URL="http://127.0.0.1:$(cat port)"
wrangler deploy --name shop-blue --env staging >deploy.txt 2>&1
echo value | wrangler secret put KEY --name shop-blue --env staging >secret.txt 2>&1
echo value | wrangler secret put KEY --name shop-blue --env '' >>secret.txt 2>&1
grep -E '^PUT ' requests.txt >seen.txt
grep -o 'Worker "[^"]*"' secret.txt >>seen.txt
cat >expected.txt <<'END'
PUT /scripts/shop-blue
PUT /scripts/shop-blue-staging/secrets
PUT /scripts/shop-blue/secrets
Worker "shop-blue-staging"
Worker "shop-blue"
END
diff expected.txt seen.txt && echo "As described."
