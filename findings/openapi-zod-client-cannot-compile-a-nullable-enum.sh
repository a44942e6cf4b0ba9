#!/usr/bin/env bash
# openapi-zod-client 1.18.3. One would guess that `type: [string, null]` with null in the enum, which OpenAPI 3.1 takes from JSON
# Schema, becomes a nullable enum. The generated z.enum has null among its strings, which does not compile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 openapi-zod-client@1.18.3 typescript@5.9.3 zod@3.25.76 @zodios/core@10.9.6 axios@1.12.2
export PATH="$folder/node_modules/.bin:$PATH"
cat >api.json <<'END'
{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{"/a":{"post":{"operationId":"a","requestBody":{"required":true,
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}},"responses":{"204":{"description":"done"}}}}},
"components":{"schemas":{"A":{"type":"object","properties":{"language":{"type":["string","null"],"enum":["EN","ES",null]}}}}}}
END
openapi-zod-client api.json -o client.ts >/dev/null 2>&1
grep -o 'z.enum(\[[^]]*\])' client.ts >seen.txt
tsc --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --target es2022 client.ts >errors.txt || true
grep -o 'error TS[0-9]*' errors.txt | sort -u | head -n 1 >>seen.txt
cat >expected.txt <<'END'
z.enum(["EN", "ES", null])
error TS2769
END
diff expected.txt seen.txt && echo "As described."
