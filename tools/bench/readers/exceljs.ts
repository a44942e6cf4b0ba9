import { createRequire } from 'node:module'
import { report } from './report.ts'

const [, , path = '', folder = ''] = process.argv
const { stream } = createRequire(`${folder}/`)('exceljs')
const started = performance.now()
const options = { sharedStrings: 'cache', styles: 'cache', worksheets: 'emit', hyperlinks: 'ignore', entries: 'emit' }
let count = -1
for await (const sheet of new stream.xlsx.WorkbookReader(path, options))
  for await (const row of sheet) count += Array.isArray(row.values) ? 1 : 0
report(count, started)
