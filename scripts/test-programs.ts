/**
 * `npm run test:programs` reads the workbooks of other programs, each of which writes the same people: LibreOffice, Gnumeric,
 * openpyxl, XlsxWriter, pandas, Excel::Writer::XLSX, openxlsx (R), and libraries of npm, which are installed into a temporary
 * folder. It runs at night, and says which of them it did not find.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile } from '../packages/import/read.ts'
import { recognize } from '../packages/import/recognize.ts'
import { fileSource } from './import-files.ts'

/** From this release on, `write-excel-file` writes formats of numbers, and `xlsx` is the last one on npm. */
const NPM_WRITERS = {
  exceljs: '4.4.0',
  xlsx: '0.18.5',
  'xlsx-populate': '1.21.0',
  excel4node: '1.8.2',
  'write-excel-file': '3.0.8',
}

interface Program {
  name: string
  /** Whether it can run here. */
  probe: string[]
  /** Writes the workbook to this path. */
  write: (path: string) => string[]
  /** What it makes of the cells in `WRITTEN`, if that is something else. */
  cells?: Record<string, string>
  /** Whether it has cells of its own, in place of those in `WRITTEN`. */
  isOther?: boolean
}

const folder = mkdtempSync(join(tmpdir(), 'registrar-programs-'))
const UNCALCULATED = 'a formula without a stored result'
/** The columns: an id with zeros, a percentage, a time, a day, an instant in UTC, a formula. */
const HEADER = ['email', 'zip', 'share', 'time', 'day', 'moment', 'sum']
const WRITTEN = {
  zip: '08001',
  share: '50%',
  time: '18:30',
  day: '2027-12-31',
  moment: '2027-12-31T23:59:59Z',
  sum: UNCALCULATED,
}
const FORMATS: Record<string, string> = {
  zip: '00000',
  share: '0.00%',
  time: 'hh"h"mm',
  day: 'dd/mm/yyyy',
  moment: 'yyyy-mm-dd"T"hh:mm:ss"Z"',
}
const VALUES = { zip: 8001, share: 0.5, time: 0.770833333333333, day: 46752, moment: 46752.9999884259 }

const CSV = join(folder, 'people.csv')
writeFileSync(
  CSV,
  `${HEADER.join(',')}\na1@example.com,08001,50%,18:30,2027-12-31,2027-12-31T23:59:59Z,=1+1\na2@example.com,,,,,,\n`,
)

/** LibreOffice recognizes numbers and dates of CSV as a person in Spain types them; the zip is a text. */
const office = `soffice --headless -env:UserInstallation=file://${folder}/office --infilter=CSV:44,34,76,1,2/2,0,3082,false,true`
/** Their rows are made from the same lists, so the languages say only how a cell is written. */
const list = Object.entries(VALUES).map(([name, value], i) => ({ x: i + 1, value, format: FORMATS[name] ?? '' }))

const PROGRAMS: Program[] = [
  {
    name: 'LibreOffice',
    probe: ['soffice', '--version'],
    write: () => [...office.split(' '), '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', folder, CSV],
    cells: { sum: '2' },
  },
  {
    name: 'Gnumeric',
    probe: ['ssconvert', '--version'],
    write: (path) => ['ssconvert', CSV, path],
    // It gives a column of times without other days the format of a day, and percentages none.
    cells: { zip: '8001', share: '0.5', moment: '2027-12-31', sum: '2' },
  },
  {
    name: 'openpyxl',
    probe: ['/usr/bin/python3', '-c', 'import openpyxl'],
    write: (path) => [
      '/usr/bin/python3',
      '-c',
      `import openpyxl
b = openpyxl.Workbook(); s = b.active; s.append(${JSON.stringify(HEADER)}); s['A2'] = 'a1@example.com'
${list.map(({ x, value, format }) => `c = s.cell(2, ${x + 1}, ${value}); c.number_format = ${JSON.stringify(format)}`).join('\n')}
s['G2'] = '=1+1'; s['A3'] = 'a2@example.com'; s['B3'] = 'hidden'; s.row_dimensions[3].hidden = True
b.save('${path}')`,
    ],
  },
  {
    name: 'XlsxWriter',
    probe: ['/usr/bin/python3', '-c', 'import xlsxwriter'],
    write: (path) => [
      '/usr/bin/python3',
      '-c',
      `import xlsxwriter
b = xlsxwriter.Workbook('${path}'); s = b.add_worksheet(); s.write_row(0, 0, ${JSON.stringify(HEADER)}); s.write(1, 0, 'a1@example.com')
${list.map(({ x, value, format }) => `s.write_number(1, ${x}, ${value}, b.add_format({'num_format': ${JSON.stringify(format)}}))`).join('\n')}
s.write_formula(1, 6, '=1+1'); b.close()`,
    ],
  },
  ...['openpyxl', 'xlsxwriter'].map((engine) => ({
    name: `pandas with ${engine}`,
    probe: ['/usr/bin/python3', '-c', `import pandas, ${engine}`],
    write: (path: string) => [
      '/usr/bin/python3',
      '-c',
      `import pandas, datetime
pandas.DataFrame({'email': ['a1@example.com', 'a2@example.com'], 'zip': ['08001', None], 'phone': [600111222, None],
  'day': [datetime.date(2027, 12, 31), None], 'time': [pandas.Timestamp('2027-12-31 18:30'), None],
  'sum': ['=1+1', 'x'], 'flag': [True, False]}).to_excel('${path}', engine='${engine}', index=False)`,
    ],
    cells: {
      zip: '08001',
      phone: '600111222',
      day: '2027-12-31',
      time: '2027-12-31T18:30:00',
      sum: UNCALCULATED,
      flag: 'TRUE',
    },
    isOther: true,
  })),
  {
    name: 'Excel::Writer::XLSX',
    probe: ['perl', '-MExcel::Writer::XLSX', '-e', '1'],
    write: (path) => [
      'perl',
      '-MExcel::Writer::XLSX',
      '-e',
      `my $b = Excel::Writer::XLSX->new('${path}'); my $s = $b->add_worksheet();
$s->write_row(0, 0, [${HEADER.map((name) => `'${name}'`).join(', ')}]); $s->write_string(1, 0, 'a1@example.com');
${list.map(({ x, value, format }) => `$s->write_number(1, ${x}, ${value}, $b->add_format(num_format => '${format}'));`).join('\n')}
$s->write_formula(1, 6, '=1+1'); $b->close();`,
    ],
  },
  {
    name: 'openxlsx',
    probe: ['Rscript', '-e', 'library(openxlsx)'],
    write: (path) => [
      'Rscript',
      '-e',
      `library(openxlsx); b <- createWorkbook(); addWorksheet(b, 'People')
writeData(b, 1, t(c(${HEADER.map((name) => `'${name}'`).join(', ')})), colNames = FALSE); writeData(b, 1, 'a1@example.com', startRow = 2)
${list.map(({ x, value, format }) => `writeData(b, 1, ${value}, startRow = 2, startCol = ${x + 1}); addStyle(b, 1, createStyle(numFmt = '${format}'), 2, ${x + 1})`).join('\n')}
writeFormula(b, 1, '1+1', startRow = 2, startCol = 7); saveWorkbook(b, '${path}')`,
    ],
  },
]

/** The statements of each library; `cells` are the second row with their formats, but for the formula at its end. */
const BY_NPM: Record<keyof typeof NPM_WRITERS, string> = {
  exceljs: `const b = new library.Workbook(), s = b.addWorksheet('People'); s.addRow(header)
    cells.forEach(([value, format], i) => { const c = s.getCell(2, i + 1); c.value = value; if (format) c.numFmt = format })
    s.getCell(2, 7).value = { formula: '1+1' }; b.xlsx.writeFile(path)`,
  xlsx: `const row = cells.map(([v, z]) => z ? { t: 'n', v, z } : v)
    const s = library.utils.aoa_to_sheet([header, [...row, { t: 'n', f: '1+1' }]])
    const b = library.utils.book_new(); library.utils.book_append_sheet(b, s, 'People'); library.writeFile(b, path)`,
  'xlsx-populate': `library.fromBlankAsync().then((b) => { const s = b.sheet(0); header.forEach((h, i) => s.cell(1, i + 1).value(h))
    cells.forEach(([v, f], i) => { const c = s.cell(2, i + 1).value(v); if (f) c.style('numberFormat', f) })
    s.cell(2, 7).formula('1+1'); return b.toFileAsync(path) })`,
  excel4node: `const b = new library.Workbook(), s = b.addWorksheet('People'); header.forEach((h, i) => s.cell(1, i + 1).string(h))
    cells.forEach(([v, f], i) => f ? s.cell(2, i + 1).number(v).style({ numberFormat: f }) : s.cell(2, i + 1).string(v))
    s.cell(2, 7).formula('1+1'); b.write(path)`,
  'write-excel-file': `const row = cells.map(([value, format]) => format ? { value, type: Number, format } : { value })
    library.default([header.map((value) => ({ value })), [...row, { value: '1+1', type: 'Formula' }]], { filePath: path })`,
}

/** Without a network, none of them is found. */
function npmPrograms(): Program[] {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: NPM_WRITERS }))
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, timeout: 300_000 })
  const cells = [['a1@example.com'], ...list.map(({ value, format }) => [value, format])]
  return Object.entries(BY_NPM).map(([name, statements]) => {
    const entry = name === 'write-excel-file' ? `${name}/node` : name
    const load = `const library = require('module').createRequire(${JSON.stringify(`${folder}/`)})('${entry}');`
    const values = `const header = ${JSON.stringify(HEADER)}, cells = ${JSON.stringify(cells)}`
    return {
      name,
      probe: [process.execPath, '-e', load],
      write: (path) => [process.execPath, '-e', `${load}${values}, path = '${path}'; ${statements}`],
    }
  })
}

async function cellsOf(path: string): Promise<Record<string, string>> {
  const { source } = await recognize(fileSource(path))
  const { header, rows } = await openFile(source)
  for await (const row of rows) {
    if (!('cells' in row)) continue
    const errors = new Map(row.errors?.map(({ index, error }) => [index, error]))
    return Object.fromEntries(header.map((name, i) => [name, errors.get(i) ?? row.cells[i] ?? '']))
  }
  return {}
}

function canRun([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { timeout: 60_000 }).status === 0
}

try {
  for (const { name, probe, write, cells, isOther } of [...PROGRAMS, ...npmPrograms()]) {
    if (!canRun(probe)) {
      console.log(`${name}: not found, and so not tried.`)
      continue
    }
    // LibreOffice names the file after the other one.
    const path = join(folder, name === 'LibreOffice' ? 'people.xlsx' : `${name.replaceAll(/[: ]/g, '')}.xlsx`)
    const [command = '', ...args] = write(path)
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 })
    assert.equal(status, 0, `${name}: ${stderr}`)
    assert.deepEqual(await cellsOf(path), { email: 'a1@example.com', ...(isOther !== true && WRITTEN), ...cells }, name)
    console.log(`${name}: read as it is shown.`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
