/**
 * `npm run test:programs` reads the workbooks of other programs, each of which writes the same people: LibreOffice, Gnumeric,
 * openpyxl, XlsxWriter, Excel::Writer::XLSX and openxlsx (R). It runs at night, and says which of them it did not find.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile } from '../packages/import/read.ts'
import { recognize } from '../packages/import/recognize.ts'
import { fileSource } from './import-files.ts'

interface Program {
  name: string
  /** Whether it can run here. */
  probe: string[]
  /** Writes the workbook to this path. */
  write: (path: string) => string[]
  /** What it makes of the cells in `WRITTEN`, if that is something else. */
  cells?: Record<string, string>
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
  for (const { name, probe, write, cells } of PROGRAMS) {
    if (!canRun(probe)) {
      console.log(`${name}: not found, and so not tried.`)
      continue
    }
    // LibreOffice names the file after the other one.
    const path = join(folder, name === 'LibreOffice' ? 'people.xlsx' : `${name.replaceAll(':', '')}.xlsx`)
    const [command = '', ...args] = write(path)
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 })
    assert.equal(status, 0, `${name}: ${stderr}`)
    assert.deepEqual(await cellsOf(path), { email: 'a1@example.com', ...WRITTEN, ...cells }, name)
    console.log(`${name}: read as it is shown.`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
