/** Every CSV file that we write, and the files of failed rows, imported unchanged with "update", change nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { csvLine, jsonCell, PLAIN_CSV, spreadsheetCsv } from '../../../src/modules/csv-files/csv.ts'
import { localCell } from '../../../src/modules/csv-files/local-cells.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { valueText } from '../changes.ts'
import { connect } from '../client.ts'
import { csvLines } from '../export.ts'
import { failedWriter } from '../failed.ts'
import { failedWorkbook } from '../failed-workbook.ts'
import {
  assertNothingChanges,
  CUSTOM_FIELDS,
  type Done,
  fill,
  importFile,
  throughOffice,
  withoutOffice,
  ZONES,
} from './circle.ts'
import { type FakeService, startService, STORE_TOKEN } from './service.ts'

let service: FakeService
before(async () => {
  service = await startService()
})
after(() => service.stop())

const KINDS = ['users', 'product_accesses', 'users of an operator'] as const
/** Where a comma is the decimal sign, the separator is a semicolon. */
const LANGUAGES = ['EN', 'ES', 'PT']

interface File {
  zone: string
  /** That of the store, if the file is for spreadsheets. */
  language: string | undefined
}

async function exported(kind: (typeof KINDS)[number], { zone, language }: File): Promise<string> {
  if (kind === 'users of an operator') return usersFile(language, zone)
  const isForSpreadsheet = language !== undefined
  if (isForSpreadsheet) service.setStore({ language })
  const client = connect({ url: service.url, store: 'demo', token: STORE_TOKEN })
  let text = ''
  for await (const line of csvLines(client, kind, { isForSpreadsheet })) text += line
  return text
}

/** The file of users that an operator gets, with a column for each custom field. */
function usersFile(language: string | undefined, zone: string): string {
  const format = language === undefined ? PLAIN_CSV : spreadsheetCsv(language)
  const keys = CUSTOM_FIELDS.map(({ key }) => key)
  const rows = service.users.map((user) => {
    const custom = new Map(Object.entries(user['custom_fields'] ?? {}))
    const own = USER_COLUMNS.map((name) => {
      const value = user[name]
      return localCell(name, valueText(value) || undefined, language === undefined ? undefined : zone)
    })
    return [...own, ...keys.map((key) => (custom.has(key) ? jsonCell(custom.get(key)) : undefined)), undefined]
  })
  const header = [...USER_COLUMNS, ...keys.map((key) => `custom_fields.${key}`), 'custom_fields']
  return format.start + [header, ...rows].map((cells) => csvLine(cells, format)).join('')
}

/** The rows that "fail" rejects, because their people exist, as the command and the console write them. */
async function failedFiles({ source, inspection, rename, failed }: Done): Promise<(string | Uint8Array)[]> {
  const { head, rowText } = failedWriter(inspection)
  async function* rows() {
    yield* failed
  }
  const workbook = await failedWorkbook({
    header: inspection.header,
    rename,
    dates: source.dates,
    rows: rows(),
    textOf: ({ explanation }) => explanation,
    titles: { row: 'Fila del archivo', reasons: 'Qué corregir', sheet: 'Filas' },
  })
  return [head + failed.map(rowText).join(''), workbook]
}

for (const zone of ZONES)
  describe(`In ${zone}`, () => {
    for (const kind of KINDS)
      it(`an export of ${kind} changes nothing, nor do its rows from a file of failed rows`, async () => {
        const before = await fill(service, zone)
        for (const language of [undefined, ...LANGUAGES]) {
          const about = `${kind} ${language ?? 'plain'}`
          const file = await exported(kind, { zone, language })
          await assertNothingChanges(service, file, { zone, before, about })
          if (language === 'PT') continue
          const rejected = await importFile(service, file, { zone, onExisting: 'fail' })
          assert.equal(rejected.failed.length, rejected.state.rows, about)
          for (const again of await failedFiles(rejected))
            await assertNothingChanges(service, again, { zone, before, about: `failed rows of ${about}` })
        }
      })
  })

describe('Opened and saved in LibreOffice', async () => {
  const skip = await withoutOffice()
  // In Portugal. It takes numbers and dates for such, but the columns of users are text: it would cut zeros of ids.
  const AS_TEXT = [...USER_COLUMNS, ...CUSTOM_FIELDS, 'custom_fields'].map((_, i) => `${i + 1}/2`).join('/')
  const READ = { accesses: 'CSV:59,34,76,1,,2070,false,true', users: `CSV:59,34,76,1,${AS_TEXT},2070` }

  for (const to of ['xlsx', 'csv'] as const)
    it(`exports and failed rows change nothing as ${to}`, { skip }, async () => {
      const zone = 'Europe/Lisbon'
      const before = await fill(service, zone)
      const [users, accesses] = [
        await exported('users of an operator', { zone, language: 'PT' }),
        await exported('product_accesses', { zone, language: 'PT' }),
      ]
      const failed = await Promise.all(
        [users, accesses].map(async (file) =>
          failedFiles(await importFile(service, file, { zone, onExisting: 'fail' })),
        ),
      )
      const workbooks = failed.map(([, workbook = ''], i) => ({ name: `failed${i}.xlsx`, bytes: workbook }))
      const saved = [
        ...(await throughOffice([{ name: 'users.csv', bytes: users }], to, READ.users)),
        ...(await throughOffice([{ name: 'accesses.csv', bytes: accesses }], to, READ.accesses)),
        ...(await throughOffice(workbooks, to)),
      ]
      for (const [i, bytes] of saved.entries())
        await assertNothingChanges(service, bytes, { zone, dates: 'dmy', before, about: `file ${i}` })
    })
})
