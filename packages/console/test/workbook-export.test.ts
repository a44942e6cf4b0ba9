import './browser-globals.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import { RegistrarError } from 'registrar-client'
import { copyTo, type FileRequest } from '../src/screens/export/download.ts'
import { fileNameOf, localTime, workbookOf } from '../src/screens/export/workbook.ts'

process.env['TZ'] = 'Europe/Madrid'

it('writes a time as the clocks of the operator show it, in summer and in winter', async () => {
  async function* rows() {
    yield '2027-06-30T21:59:59Z'
    yield '2027-01-01T00:00:00Z'
    yield null
  }
  const columns = [{ head: 'Fecha', width: 18, format: 'dd/mm/yyyy hh:mm', cell: localTime }]
  const workbook = await workbookOf<string | null>({
    title: 'Accesos [a/b]: todos los de la academia',
    columns,
    rows: rows(),
  })
  const [sheet] = (await readXlsx(await workbook.bytes())).sheets
  const expected = ['2027-06-30T23:59:59Z', '2027-01-01T01:00:00Z'].map((time) => new Date(time))
  assert.deepEqual(sheet?.rows.slice(0, 3), [['Fecha'], ...expected.map((time) => [time])])
  assert.equal(sheet.name.length, 31)
})

it('fails with the error of the request that failed', async () => {
  const error = new RegistrarError({ status: 403, code: 'insufficient_scope', message: 'no' })
  // oxlint-disable-next-line require-yield -- it fails before the first row
  async function* rows(): AsyncGenerator<string> {
    throw error
  }
  const workbook = await workbookOf({ title: 'Users', columns: [{ head: 'a', width: 1, cell: String }], rows: rows() })
  await assert.rejects(workbook.bytes(), (thrown) => thrown === error)
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
