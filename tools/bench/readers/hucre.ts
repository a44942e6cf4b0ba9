import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { report } from './report.ts'

const [, , path = '', folder = ''] = process.argv
const { streamXlsxRows } = await import(pathToFileURL(createRequire(`${folder}/`).resolve('hucre/xlsx')).href)
const started = performance.now()
let count = -1
for await (const row of streamXlsxRows(Readable.toWeb(createReadStream(path)))) count += row === undefined ? 0 : 1
report(count, started)
