#!/usr/bin/env bash
# hucre 1.0.0. One would guess that `readOds` returns every row of a sheet. Rows of an outline ("Group" in LibreOffice, which writes
# them in a `table:table-row-group`) are missing, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 hucre@1.0.0 fflate@0.8.2
cat >rows.mjs <<'EOF'
import { strToU8, zipSync } from 'fflate'
import { readOds } from 'hucre/ods'
const TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const NS = 'urn:oasis:names:tc:opendocument:xmlns'
const row = (text) =>
  `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`
const content = `<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="${NS}:office:1.0" xmlns:table="${NS}:table:1.0" xmlns:text="${NS}:text:1.0" office:version="1.3">
<office:body><office:spreadsheet><table:table table:name="People"><table:table-column/>
${row('name')}${row('Ana')}<table:table-row-group>${row('Luis')}${row('Eva')}</table:table-row-group>${row('Zoe')}
</table:table></office:spreadsheet></office:body></office:document-content>`
const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="${NS}:manifest:1.0" manifest:version="1.3">
<manifest:file-entry manifest:full-path="/" manifest:media-type="${TYPE}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
const file = zipSync({
  mimetype: [strToU8(TYPE), { level: 0 }],
  'content.xml': strToU8(content),
  'META-INF/manifest.xml': strToU8(manifest),
})
const { sheets } = await readOds(file)
for (const [name] of sheets[0].rows) console.log(name)
EOF
node_modules/.bin/node rows.mjs >seen.txt
cat >expected.txt <<'EOF'
name
Ana
Zoe
EOF
diff expected.txt seen.txt && echo "As described."
