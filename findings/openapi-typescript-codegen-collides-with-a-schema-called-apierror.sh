#!/usr/bin/env bash
# openapi-typescript-codegen 0.31.0. One would guess that a document may call a schema as it likes. One that is called ApiError
# collides with the class of that name which every generated client exports: index.ts does not compile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 openapi-typescript-codegen@0.31.0 typescript@5.9.3
export PATH="$folder/node_modules/.bin:$PATH"
cat >api.json <<'END'
{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{"/a":{"get":{"operationId":"a","responses":{"404":{"description":"none",
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ApiError"}}}},"204":{"description":"done"}}}}},
"components":{"schemas":{"ApiError":{"type":"object","properties":{"code":{"type":"string"}}}}}}
END
openapi --input api.json --output out --client fetch
tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom out/index.ts >errors.txt || true
grep -o "error TS[0-9]*: Duplicate identifier 'ApiError'" errors.txt | sort -u >seen.txt
cat >expected.txt <<'END'
error TS2300: Duplicate identifier 'ApiError'
END
diff expected.txt seen.txt && echo "As described."
