/** Reads all rows of a workbook with the import of a release, in its folder, and prints what that took. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { report } from './report.ts'

const [, , path = '', root = '.'] = process.argv
const folder = [resolve(root, 'packages/import'), resolve(root, 'import')].find((each) => existsSync(each)) ?? ''
const { recognize } = await import(`${folder}/recognize.ts`)
const { openFile } = await import(`${folder}/read.ts`)
const { fileSource } = await import(resolve(root, 'scripts/import-files.ts')).catch(() => ({ fileSource: undefined }))
const plain = { size: statSync(path).size, open: () => createReadStream(path) }
const started = performance.now()
const { source } = await recognize(fileSource?.(path) ?? plain, { largeFile: true })
const { rows } = await openFile(source)
let count = 0
for await (const row of rows) count += 'cells' in row ? 1 : 0
report(count, started)
