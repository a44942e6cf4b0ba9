#!/usr/bin/env bash
# zod 4.6.7. One would guess that a refinement of an object with `when: () => true` runs whatever is wrong with a field. It runs
# after a field that is too small, and after one of the wrong type, but not after a number that should be an integer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 zod@4.6.7
cat >int.mjs <<'END'
import * as z from 'zod'
const counts = { 'int()': z.int(), 'number().int()': z.number().int(), 'number().gt(0)': z.number().gt(0), 'string()': z.string() }
for (const [name, count] of Object.entries(counts)) {
  const both = { when: () => true, path: ['unit'], error: 'must be days' }
  const schema = z.object({ count, unit: z.string() }).refine(({ unit }) => unit === 'days', both)
  const { issues } = schema.safeParse({ count: -1.5, unit: 'weeks' }).error
  console.log(`${name}: ${issues.map(({ path }) => path.join('.')).join(', ')}`)
}
END
node_modules/.bin/node int.mjs >seen.txt
cat >expected.txt <<'END'
int(): count
number().int(): count
number().gt(0): count, unit
string(): count, unit
END
diff expected.txt seen.txt && echo "As described."
