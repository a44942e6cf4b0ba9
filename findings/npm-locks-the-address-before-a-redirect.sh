#!/usr/bin/env bash
# npm 11.6.2. One would guess that `npm install URL` notes where the tarball was found. It notes the address that was asked for,
# with the hash of what it got: if that address redirects to each new version, `npm ci` fails with EINTEGRITY after the next one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund npm@11.6.2
export PATH="$folder/node_modules/.bin:$PATH" npm_config_cache="$folder/cache" npm_config_fetch_retries=0
for version in 1.0.0 2.0.0; do
  mkdir "v$version" && echo "{\"name\":\"thing\",\"version\":\"$version\"}" >"v$version/package.json"
  (cd "v$version" && npm pack --silent >/dev/null)
done
cat >serve.mjs <<'END'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer((request, response) => {
  const version = existsSync('released') ? '2.0.0' : '1.0.0'
  if (request.url === '/thing.tgz') response.writeHead(302, { Location: `/thing-${version}.tgz` }).end()
  else response.end(readFileSync(`v${version}/thing-${version}.tgz`))
}).listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
END
node serve.mjs & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
while [ ! -s port ]; do sleep 0.1; done
mkdir shop && cd shop && npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "http://127.0.0.1:$(cat ../port)/thing.tgz"
grep -o '/thing[^"]*tgz' package-lock.json | sort -u >../seen.txt
touch ../released && rm -rf node_modules ../cache
npm ci --loglevel error >log.txt 2>&1 || grep -o 'EINTEGRITY' log.txt | head -n 1 >>../seen.txt
cd ..
cat >expected.txt <<'END'
/thing.tgz
EINTEGRITY
END
diff expected.txt seen.txt && echo "As described."
