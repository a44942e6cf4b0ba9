import './browser-globals.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import { RegistrarError } from 'registrar-client'
import { copyTo, type FileRequest } from '../src/screens/export/download.ts'
import { fileNameOf, localTime, sheetOf, workbookOf } from '../src/screens/export/workbook.ts'

// Another one than that of the store.
process.env['TZ'] = 'Asia/Tokyo'

it('writes a time as the clocks of the store show it, and an end of a day as that day alone', async () => {
  async function* rows() {
    yield '2027-06-30T21:59:59.999Z'
    yield '2027-06-30T21:59:59Z'
    yield '2027-12-31T23:00:00.000Z'
    yield '2027-01-01T10:20:30.400Z'
    yield null
  }
  const formats = { day: 'dd/mm/yyyy', time: 'dd/mm/yyyy hh:mm:ss' }
  const columns = [
    { head: 'Fecha', width: 18, cell: (at: string | null) => localTime(at, 'Europe/Madrid', formats) },
    { head: 'Progreso', width: 8, format: '0%', cell: () => 0.4 },
  ]
  const made = await sheetOf<string | null>({
    title: 'Accesos [a/b]: todos los de la academia',
    columns,
    rows: rows(),
  })
  const [sheet] = (await readXlsx(await workbookOf([made]), { readStyles: true })).sheets
  const expected = ['2027-06-30', '2027-06-30', '2027-12-31', '2027-01-01T11:20:30Z'].map((time) => new Date(time))
  assert.deepEqual(sheet?.rows.slice(0, 5), [['Fecha', 'Progreso'], ...expected.map((time) => [time, 0.4])])
  assert.equal(sheet.name.length, 31)
  const formatOf = (place: string) => sheet.cells?.get(place)?.style?.numFmt
  assert.deepEqual(['1,0', '3,0', '4,0', '1,1'].map(formatOf), [formats.day, formats.day, formats.time, '0%'])
})

it('fails with the error of the request that failed', async () => {
  const error = new RegistrarError({ status: 403, code: 'insufficient_scope', message: 'no' })
  // oxlint-disable-next-line require-yield -- it fails before the first row
  async function* rows(): AsyncGenerator<string> {
    throw error
  }
  const sheet = sheetOf({ title: 'Users', columns: [{ head: 'a', width: 1, cell: String }], rows: rows() })
  await assert.rejects(sheet, (thrown) => thrown === error)
})

it('does not count as lost while its rows are read', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] })
  const request: FileRequest = async (signal, onProgress) => {
    for (let page = 0; page < 3; page++) {
      test.mock.timers.tick(50_000)
      onProgress()
    }
    signal.throwIfAborted()
    return new Response('x')
  }
  const nothing = async () => {}
  const target = { write: nothing, finish: nothing, discard: nothing }
  const { signal } = new AbortController()
  assert.equal(await copyTo({ request, target, signal, onBytes: () => {} }), 1)
})

it('makes a file name of parts with any characters', () => {
  assert.equal(fileNameOf(['A/B', 'Users', undefined, 'Inglés: B1?'], 'xlsx'), 'A B - Users - Inglés B1.xlsx')
})
