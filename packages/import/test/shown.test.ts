/** A workbook is read as it is shown: formats, merged cells, hidden rows, and results that no program has calculated. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cellFormat } from '../cell-format.ts'
import { columnsOf } from '../columns.ts'
import { inspect } from '../inspect.ts'
import { openFile } from '../read.ts'
import { type Correction, recognize } from '../recognize.ts'
import { sourceOf } from './memory.ts'
import { workbookXml } from './workbook.ts'

const HEADER = ['name', 'last_name', 'email', 'phone', 'custom_fields.x']
const FIELDS = `<row r="1">${HEADER.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`

function text(reference: string, value: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
}

/** The cells of a person, with any XML for the last columns. */
function person(line: number, rest = '', attributes = ''): string {
  const cells = text(`A${line}`, 'Ana') + text(`B${line}`, 'Gil') + text(`C${line}`, `a${line}@example.com`)
  return `<row r="${line}" ${attributes}>${cells}${rest}</row>`
}

async function items(bytes: Uint8Array, correction: Correction = {}) {
  const { source } = await recognize(sourceOf(new Uint8Array(bytes)), correction)
  const { hiddenRows } = await inspect(source)
  const opened = await openFile(source)
  const columns = columnsOf(opened)
  const rows = []
  for await (const row of opened.rows) {
    const { item, reasons } = columns.toItem(row)
    const custom: unknown = item['custom_fields']
    rows.push({ line: row.line, ...item, custom, reasons: reasons.map(({ explanation }) => explanation) })
  }
  return { rows, hiddenRows }
}

async function reasonsOf(rows: string, calc: string): Promise<string[][]> {
  const bytes = workbookXml({ S: FIELDS + rows }, { calc })
  return (await items(bytes)).rows.map(({ reasons }) => reasons)
}

const NO_RESULT = (cell: string) => [`the cell ${cell} contains a formula without a stored result`]

describe('The result 0 of a formula', () => {
  const rows = person(2, '<c r="E2"><f>1+1</f><v>0</v></c>') + person(3, '<c r="E3"><v>0</v></c>')

  it('is none in a workbook that must be calculated when it is opened', async () => {
    for (const calc of ['fullCalcOnLoad="1"', 'fullCalcOnLoad="true"'])
      assert.deepEqual(await reasonsOf(rows, calc), [NO_RESULT('E2'), []])
  })

  it('is one in any other workbook', async () => {
    for (const calc of ['', 'fullCalcOnLoad="0"']) assert.deepEqual(await reasonsOf(rows, calc), [[], []])
  })

  it('is none in the cells that an array formula fills', async () => {
    const array =
      person(2, '<c r="E2"><f t="array" ref="E2:E3">F2:F3</f><v>0</v></c>') +
      person(3, '<c r="E3"><v>0</v></c>') +
      person(4, '<c r="E4"><v>0</v></c>')
    assert.deepEqual(await reasonsOf(array, 'fullCalcOnLoad="1"'), [NO_RESULT('E2'), NO_RESULT('E3'), []])
  })

  it('does not matter if another result is stored', async () => {
    const result = person(2, '<c r="E2"><f>1+1</f><v>2</v></c><c r="F2" t="str"><f>""</f><v></v></c>')
    assert.deepEqual(await reasonsOf(result, 'fullCalcOnLoad="1"'), [[]])
  })
})

describe('A number format', () => {
  const cases: [value: number, format: string, text: string][] = [
    [0.770833333333333, String.raw`hh\hmm`, '18:30'],
    [0.770833333333333, 'hh"h"mm"min"', '18:30'],
    [0.770833333333333, 'hhmm', '18:30'],
    [46752.770833333, 'dd/mm/yyyy hh"h"mm', '2027-12-31T18:30:00'],
    [46752.9999884259, 'yyyy-mm-dd"T"hh:mm:ss"Z"', '2027-12-31T23:59:59Z'],
    [46752.9999884259, 'yyyy-mm-dd HH:mm:ss UTC', '2027-12-31T23:59:59Z'],
    [46752.9999884259, String.raw`yyyy\-mm\-dd\Thh:mm:ss\Z`, '2027-12-31T23:59:59Z'],
    [46752, 'yyyy-mm-dd hh:mm "UTC"', '2027-12-31T00:00:00Z'],
    [46752, 'yyyy-mm-dd hh:mm "(UTC)"', '2027-12-31T00:00:00Z'],
    [46752, 'yyyy-mm-dd hh:mm "UTC-3"', '2027-12-31T00:00:00-03:00'],
    [46752.5, 'yyyy-mm-dd hh:mm:ss"+01:00"', '2027-12-31T12:00:00+01:00'],
    // Which zone is meant is not clear, so the name stays, and a due date with it is an error.
    [46752.770833333, 'yyyy-mm-dd hh:mm "CET"', '2027-12-31T18:30:00 CET'],
    [46752.770833333, String.raw`yyyy-mm-dd hh:mm\ \B\R\T`, '2027-12-31T18:30:00 BRT'],
    [46752, 'dd/mm/yyyy hh:mm "(Madrid)"', '2027-12-31T00:00:00 (Madrid)'],
    [46752.770833333, '"WEST" dd/mm/yyyy hh:mm', '2027-12-31T18:30:00 WEST'],
    [46752.770833333, 'dd/mm/yyyy "UTC" hh:mm', '2027-12-31T18:30:00 UTC'],
    [0.770833333333333, 'hh:mm "EST"', '18:30 EST'],
    [46752.770833333, 'dd/mm/yyyy hh:mm "h"', '2027-12-31T18:30:00'],
    [46752.770833333, 'dd/mm/yyyy hh:mm "hs."', '2027-12-31T18:30:00'],
    [0.770833333333333, 'h"時"mm"分"', '18:30'],
    [46752.770833333, 'd "de" mmmm "de" yyyy "a las" h:mm AM/PM', '2027-12-31T18:30:00'],
    [46752.9999999884, 'dd/mm/yyyy hh:mm', '2027-12-31T23:59:59.999'],
    [46752.999995, 'dd/mm/yyyy hh:mm:ss', '2027-12-31T23:59:59'],
    [46752.9999999884, 'dd/mm/yyyy', '2027-12-31'],
    [46751.99999999999, 'dd/mm/yyyy', '2027-12-31'],
    [0.5, String.raw`0.00\ %`, '50%'],
    [0.125, '[$-C0A]0.0%', '12.5%'],
    [0.5, '_(0%_)', '50%'],
    [-0.5, '0%;(0%)', '-50%'],
    [1 / 3, '0%', '33%'],
    [0.12345, '0.00%', '12.35%'],
    [12.5, '#,##0%', '1250%'],
    [-0.001, '0%', '0%'],
    [1, '[$-C0A]"Sí";"Sí";"No"', 'Sí'],
    [0, '"Sí";"Sí";"No"', 'No'],
    [12345678901, String.raw`000"."000"."000\-00`, '123.456.789-01'],
    [5, '0" kg"', '5 kg'],
    [0.5, '# ?/?', '1/2'],
    [1234.5, '#,##0.00 €', '1,234.50 €'],
    [0, '#,###', ''],
    [0, 'dd/mm/yyyy;;', ''],
  ]
  for (const [value, format, expected] of cases)
    it(`${format} shows ${value} as ${expected}`, () => {
      assert.deepEqual(cellFormat(format, false)(value), { text: expected, isText: true })
    })

  it('leaves a plain number one, with all its digits', () => {
    for (const format of [
      'General',
      '0',
      '0.00',
      '#,##0',
      '0.00E+00',
      '[Red]0',
      '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
      '@',
    ])
      for (const value of [5215512345678, -5, 0])
        assert.deepEqual(cellFormat(format, false)(value), { text: String(value), isText: false }, format)
  })

  it('writes a price as the language does', () => {
    assert.equal(cellFormat('#,##0.00 €', false, 'es-ES')(1234.5)?.text.replaceAll(/\s/g, ' '), '1.234,50 €')
  })
})

describe('Merged cells', () => {
  it('give their value to each row of the first column', async () => {
    const rows =
      FIELDS +
      person(2, text('D2', '600') + text('E2', 'red')) +
      person(3, text('D3', 'covered')) +
      person(4, text('E4', 'x'))
    const merged = '<mergeCells count="2"><mergeCell ref="D2:D3"/><mergeCell ref="E2:E3"/></mergeCells>'
    const { rows: read } = await items(workbookXml({ S: rows }, { tail: merged }))
    assert.deepEqual(
      read.map((row) => [Reflect.get(row, 'phone'), row.custom]),
      [
        ['600', { x: 'red' }],
        ['600', { x: 'red' }],
        [undefined, { x: 'x' }],
      ],
    )
  })

  it('leave the other columns empty, and make no rows', async () => {
    const rows = FIELDS + person(2, text('D2', '600') + text('E2', 'covered')) + '<row r="3"><c r="D3"/></row>'
    const { rows: read } = await items(
      workbookXml({ S: rows }, { tail: '<mergeCells><mergeCell ref="D2:E9"/></mergeCells>' }),
    )
    assert.deepEqual(
      read.map((row) => [row.line, Reflect.get(row, 'phone'), row.custom]),
      [[2, '600', undefined]],
    )
  })

  it('are found behind rows that contain the end of the rows as a text', async () => {
    const rows = FIELDS + person(2, text('D2', '<![CDATA[</sheetData>]]>')) + person(3)
    const { rows: read } = await items(
      workbookXml({ S: rows }, { tail: '<mergeCells><mergeCell ref="D2:D3"/></mergeCells>' }),
    )
    assert.equal(Reflect.get(read[1] ?? {}, 'phone'), '</sheetData>')
  })
})

describe('Hidden rows', () => {
  const sheet =
    FIELDS +
    person(2) +
    person(3, '', 'hidden="1"') +
    person(4, '', 'ht="0" customHeight="1"') +
    '<row r="5" hidden="1"/>'

  it('are left out and counted, if they have values', async () => {
    const { rows, hiddenRows } = await items(workbookXml({ S: sheet }))
    assert.deepEqual([rows.map(({ line }) => line), hiddenRows], [[2], 2])
  })

  it('are read if that is wanted', async () => {
    const { rows, hiddenRows } = await items(workbookXml({ S: sheet }), { hiddenRows: true })
    assert.deepEqual([rows.map(({ line }) => line), hiddenRows], [[2, 3, 4], 0])
  })

  it('give a merged value to the rows that are shown', async () => {
    const rows = FIELDS + person(2, text('D2', '600'), 'hidden="true"') + person(3)
    const tail = '<mergeCells><mergeCell ref="D2:D3"/></mergeCells>'
    const { rows: read } = await items(workbookXml({ S: rows }, { tail }))
    assert.deepEqual(
      read.map((row) => [row.line, Reflect.get(row, 'phone')]),
      [[3, '600']],
    )
  })

  it('are an error of the file if there are no others', async () => {
    const rows = FIELDS.replace('<row', '<row hidden="1"') + person(2, '', 'hidden="1"')
    await assert.rejects(items(workbookXml({ S: rows })), /all 2 rows of the sheet are hidden/)
  })
})
