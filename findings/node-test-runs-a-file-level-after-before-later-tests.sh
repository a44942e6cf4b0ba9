#!/usr/bin/env bash
# node 24.21.0. One would guess that `after` at the top of a test file runs once all tests of the file have run. It runs as soon
# as no test is pending: with `await test(…)` and any wait between two tests, the second one finds what `after` has removed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >a.test.mjs <<'END'
import { after, test } from 'node:test'
after(() => console.log('after'))
await test('first', () => console.log('first'))
await new Promise((resolve) => setTimeout(resolve, 50))
await test('second', () => console.log('second'))
END
node_modules/.bin/node --test a.test.mjs | grep -E '^(after|first|second)$' >seen.txt
cat >expected.txt <<'END'
first
after
second
END
diff expected.txt seen.txt && echo "As described."
