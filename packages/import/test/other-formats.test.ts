import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from '../inspect.ts'
import { recognize } from '../recognize.ts'
import { trimCell } from '../trim.ts'
import { sourceOf } from './memory.ts'
import { zipOf } from './workbook.ts'

async function read(content: string | Uint8Array): Promise<unknown> {
  return inspect((await recognize(sourceOf(content))).source)
}

function archive(...names: string[]): Uint8Array {
  return new Uint8Array(zipOf(Object.fromEntries(names.map((name) => [name, { content: Buffer.from('x') }]))))
}

describe('A file of another format', () => {
  const cases: [content: string | Uint8Array, format: RegExp][] = [
    ['ID;PWXL;N;E\r\nC;X1;Y1;K"name"\r\nE\r\n', /SYLK \(\.slk\)/],
    ['TABLE\r\n0,1\r\n"EXCEL"\r\n', /DIF \(\.dif\)/],
    ['TABLE\n0,1\n"gnumeric"\n', /DIF \(\.dif\)/],
    [archive('mimetype', 'content.xml'), /OpenDocument \(\.ods\)/],
    [archive('[Content_Types].xml', 'xl/workbook.bin'), /Excel binary \(\.xlsb\)/],
    [archive('Index/Document.iwa'), /Apple Numbers/],
  ]
  for (const [content, format] of cases)
    it(`is refused with the advice how to save it: ${format.source}`, async () => {
      await assert.rejects(read(content), { name: 'FileError', message: format })
      await assert.rejects(read(content), /save it as an Excel workbook \(\.xlsx\)/)
    })

  it('is an archive without a workbook', async () => {
    await assert.rejects(read(archive('word/document.xml')), /the archive contains no workbook/)
  })
})

describe('The text format of a database', () => {
  const head = 'name\tlast_name\temail\tcustom_fields.x\n'
  it('is refused at the first value that it writes in its own way', async () => {
    for (const value of ['a\\tb', 'a\\nb', 'C:\\\\temp', 'say "hello"', '"quoted" text'])
      await assert.rejects(
        read(`${head}A\tB\ta@example.com\t${value}\n`),
        /^FileError: line 2, column 4: .* by a database/,
      )
  })

  it('is read if it has no such value, and a spreadsheet may write quotes', async () => {
    await read(`${head}A\tB\ta@example.com\tplain\nA\tB\tb@example.com\t"say ""hello"""\n`)
  })

  it('is not supposed where commas separate the values', async () => {
    await read('name,last_name,email,custom_fields.x\nA,B,a@example.com,C:\\temp\n')
  })
})

describe('The ends of a text', () => {
  it('lose blanks and characters without a width', () => {
    for (const end of [
      ' ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u200e',
      '\u202a',
      '\u2060',
      '\u3000',
      '\u{e0001}',
      ' \u200b\t',
    ])
      assert.equal(trimCell(`${end}José Núñez${end}`), 'José Núñez')
  })

  it('keep a joiner behind a letter or a mark', () => {
    for (const name of ['ന്\u200d', 'ৎ\u200d', 'क्\u200c', 'خانه\u200c']) {
      assert.equal(trimCell(name), name)
      assert.equal(trimCell(` ${name}\u200b `), name)
    }
    for (const text of ['600\u200d', '\u200dA1', '1\u200c\u200d', '\u200c'])
      assert.equal(trimCell(text), text.replaceAll(/[\u200c\u200d]/g, ''))
  })
})
