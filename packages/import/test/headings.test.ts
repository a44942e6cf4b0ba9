/** A title above the headings: in text files and in workbooks. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { columnsOf } from '../columns.ts'
import { guessFields } from '../headings.ts'
import { openFile } from '../read.ts'
import { type Correction, recognize } from '../recognize.ts'
import { sourceOf } from './memory.ts'
import { workbookXml } from './workbook.ts'

async function read(content: string | Uint8Array, correction?: Correction) {
  const { source, headings, firstRows } = await recognize(sourceOf(content, 7), correction)
  const { header, format, rows } = await openFile(source)
  const columns = columnsOf({ format, header }, { rename: guessFields(header, format, []) })
  const items = []
  for await (const row of rows) items.push({ line: row.line, ...columns.toItem(row) })
  return { headings, firstRows, header, items }
}

const HEADER = ['Nombre', 'Apellidos', 'Correo electrónico']
const ITEM = { name: 'Ana', last_name: 'Gil', email: 'ana@example.com' }

function rowXml(row: number, cells: (string | undefined)[]): string {
  const tags = cells.map((cell, i) =>
    cell === undefined ? '' : `<c r="${'ABCDEF'[i]}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`,
  )
  return `<row r="${row}">${tags.join('')}</row>`
}

describe('The row with the headings', () => {
  const titles = ['Alumnos del curso 2027\n\n', 'Alumnos del curso;;\n\n', 'Alumnos, curso 2027/28\n\n']
  for (const title of titles)
    it(`is recognized below a title such as ${JSON.stringify(title)}`, async () => {
      const { headings, header, items } = await read(`${title}${HEADER.join(';')}\nAna;Gil;ana@example.com\n`)
      assert.deepEqual([headings, header], [3, HEADER])
      assert.deepEqual(items, [{ line: 4, item: ITEM, reasons: [] }])
    })

  it('is recognized in a workbook, where the rows below the title may be wider or narrower', async () => {
    const sheet = [
      rowXml(1, ['Alumnos del curso 2027']),
      rowXml(3, [...HEADER, 'Teléfono']),
      rowXml(4, ['Ana', 'Gil', 'ana@example.com']),
      rowXml(5, ['Ana', 'Gil', 'ana@example.com', '1', 'beyond']),
    ]
    const { headings, items } = await read(workbookXml({ S: sheet.join('') }))
    assert.equal(headings, 3)
    assert.deepEqual(items[0], { line: 4, item: ITEM, reasons: [] })
    assert.deepEqual(items[1]?.reasons[0]?.explanation, 'the row has 5 values, the header 4')
  })

  it('is the first one if no row has more known headings', async () => {
    const { headings } = await recognize(sourceOf('a;b\nName;x\nAna;Gil\n'))
    assert.equal(headings, 1)
  })

  it('can be chosen among the first rows', async () => {
    const text = `${HEADER.join()}\nx,y,z\nname,last_name,email\nAna,Gil,ana@example.com\n`
    const { firstRows } = await read(text)
    assert.deepEqual(
      firstRows.map(({ line }) => line),
      [1, 2, 3, 4],
    )
    const { header, items } = await read(text, { headings: 3 })
    assert.deepEqual([header, items.length], [['name', 'last_name', 'email'], 1])
    await assert.rejects(read(text, { headings: 9 }), /line 9: the file has no such row/)
  })
})
