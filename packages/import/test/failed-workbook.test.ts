/** What an office downloads, corrects in Excel and imports again. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { columnsOf } from '../columns.ts'
import { OWN_TITLES } from '../disarm.ts'
import { failedWorkbook } from '../failed-workbook.ts'
import { guessFields } from '../headings.ts'
import { openFile, type Row } from '../read.ts'
import type { Reason } from '../reasons.ts'
import { recognize } from '../recognize.ts'
import { writeWorkbook } from '../write-workbook.ts'
import { sourceOf } from './memory.ts'

const [row, reasons] = OWN_TITLES.es
const HEADER = ['Nombre', 'Apellidos', 'Correo', 'Curso', 'Vencimiento', 'custom_fields.x']

async function* list<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

function write(rows: { row: Row; reasons: Reason[] }[], header = HEADER): Promise<Uint8Array<ArrayBuffer>> {
  return failedWorkbook({
    header,
    rename: guessFields(header, 'csv', []),
    dates: 'dmy',
    rows: list(rows),
    textOf: ({ column, explanation }) => `${column}: ${explanation}`,
    titles: { row, reasons, sheet: 'Filas' },
  })
}

async function read(bytes: Uint8Array<ArrayBuffer>) {
  const { source } = await recognize(sourceOf(bytes))
  const { rows, ...opened } = await openFile(source)
  const { toItem } = columnsOf(opened, { rename: guessFields(opened.header, 'csv', []) })
  const all = []
  for await (const each of rows) all.push({ ...each, ...toItem(each) })
  return { header: opened.header, rows: all }
}

const ANA = ['Ana', 'Gil', 'ana@example.com', 'engines', '30/06/2027', '7']
const FAULT: Reason[] = [{ column: 'Correo', code: 'email_taken', explanation: 'is taken' }]

describe('A workbook of failed rows', () => {
  it('has real dates, the reason beside the row, and marks the faulty cell', async () => {
    const bytes = await write([
      { row: { line: 7, cells: ANA }, reasons: FAULT },
      { row: { line: 9, cells: ['', ...ANA.slice(1)] }, reasons: [{ column: 'Nombre', explanation: 'is missing' }] },
    ])
    const { sheets } = await readXlsx(bytes, { readStyles: true })
    const [first, second, third] = sheets[0]?.rows ?? []
    assert.deepEqual(first, [row, reasons, ...HEADER])
    assert.deepEqual(second?.slice(0, 3), [7, 'Correo: is taken', 'Ana'])
    assert.deepEqual(second?.[6], new Date('2027-06-30T00:00:00Z'))
    assert.equal(third?.[1], 'Nombre: is missing')
    const marked = [...(sheets[0]?.cells ?? [])].flatMap(([place, { style }]) => (style?.fill ? [place] : []))
    assert.deepEqual(marked, ['1,4', '2,2'])
  })

  it('is imported once it is corrected, and its own columns are ignored', async () => {
    const { rows } = await read(await write([{ row: { line: 7, cells: ANA }, reasons: FAULT }]))
    const due = new Date(2027, 5, 30, 23, 59, 59, 999).toISOString()
    assert.deepEqual(rows[0]?.reasons, [])
    assert.deepEqual(JSON.parse(JSON.stringify(rows[0]?.item)), {
      name: 'Ana',
      last_name: 'Gil',
      email: 'ana@example.com',
      custom_fields: { x: 7 },
      product_accesses: [{ slug: 'engines', access_due_date: due }],
    })
  })

  it('leaves a text that is no day of the calendar, or that has a time, as it was written', async () => {
    const texts = ['31/02/2027', '29/02/2027', '30/06/2027 18:00', '01/01/1900']
    const rows = texts.map((text, line) => ({ row: { line, cells: [...ANA.slice(0, 4), text, '7'] }, reasons: FAULT }))
    const { sheets } = await readXlsx(await write(rows))
    assert.deepEqual(
      sheets[0]?.rows.slice(1).map((cells) => cells[6]),
      texts,
    )
  })

  it('can be made of such a workbook, and has the columns once', async () => {
    const { header, rows } = await read(await write([{ row: { line: 7, cells: ANA }, reasons: FAULT }]))
    const again = await read(await write([{ row: rows[0] ?? { line: 1, cells: [] }, reasons: FAULT }], header))
    assert.deepEqual(again.header, header)
    assert.equal(again.rows[0]?.item['email'], 'ana@example.com')
  })

  it('keeps a row that is too long, so that it fails again until it is corrected', async () => {
    const width = { code: 'width' as const, column: '', explanation: 'too long' }
    const bytes = await write([{ row: { line: 2, cells: [...ANA, 'beyond'], problem: width }, reasons: [width] }])
    const { header, rows } = await read(bytes)
    assert.match(rows[0]?.reasons[0]?.explanation ?? '', /the row has 9 values, the header 8/)
    const again = await read(await write([{ row: rows[0] ?? { line: 1, cells: [] }, reasons: [width] }], header))
    const cells = again.rows.flatMap((each) => ('cells' in each ? each.cells.slice(2) : []))
    assert.deepEqual(cells, [...ANA.slice(0, 4), '2027-06-30', '7', 'beyond'])
  })
})

it('every text of a workbook is read as it was written', async () => {
  const text = fc
    .oneof(
      fc.constantFrom('=1+1', '007', '1985-07-04', '2027-02-30', '1899-12-30', '2027-12-31T18:30:00', '+34 600', "'x"),
      fc.constantFrom('30/06/2027', 'TRUE', '1e5', 'a\nb', '😀', '2027-12-31T00:00:00'),
      fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
    )
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '2027-12-31T00:00:00')
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 5 }), async (texts) => {
      const header = texts.map((_, i) => `Column ${i}`)
      const bytes = await writeWorkbook({ name: 'S', header, rows: [texts.map((each) => ({ text: each }))] })
      const { source } = await recognize(sourceOf(bytes), { headings: 1 })
      const { rows } = await openFile(source)
      for await (const each of rows) assert.deepEqual('cells' in each && each.cells, texts)
    }),
    { numRuns: 60 },
  )
})
