import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { csvLine } from '../failed.ts'
import { inspect } from '../inspect.ts'
import { delimiterOf, openFile, type Row } from '../read.ts'
import { trimCell } from '../trim.ts'
import { csvOf, sourceOf } from './memory.ts'

async function readAll(content: string | Uint8Array, chunkSize?: number): Promise<{ header: string[]; rows: Row[] }> {
  const { header, rows } = await openFile(sourceOf(content, chunkSize))
  return { header, rows: await listOf(rows) }
}

async function listOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const row of rows) list.push(row)
  return list
}

function cellsOf(rows: Row[]): string[][] {
  return rows.map((row) => ('cells' in row ? row.cells : []))
}

/** A cell may contain any character; those with a meaning in CSV are frequent. */
const cell = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', ',', ';', '\t', '\r\n', '\n', '\r', '\0', ' ', 'é', '€', '😀', '\ufeff'),
      fc.string({ unit: 'grapheme' }),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''))

/** Rows of blanks are skipped. The table has three columns and a plain header, so that the delimiter can be recognized. */
const row = fc
  .array(cell, { minLength: 3, maxLength: 3 })
  .filter((cells) => cells.some((each) => trimCell(each) !== ''))
const table = fc.array(row, { maxLength: 8 })
const chunkSize = fc.integer({ min: 1, max: 40 })
const HEADER = ['name', 'last_name', 'email']

describe('Reading a CSV file', () => {
  it('returns the cells that were written by RFC 4180, for any size of chunks', async () => {
    const delimiters = fc.constantFrom(',', ';', '\t')
    const lineEnds = fc.constantFrom('\r\n', '\n', '\r')
    await fc.assert(
      fc.asyncProperty(
        table,
        delimiters,
        lineEnds,
        fc.boolean(),
        chunkSize,
        async (rows, delimiter, lineEnd, bom, size) => {
          const lines = [HEADER, ...rows].map((row) => csvLine(row, delimiter).slice(0, -2))
          const read = await readAll(
            (bom ? '\ufeff' : '') + lines.join(lineEnd) + (rows.length % 2 ? lineEnd : ''),
            size,
          )
          assert.deepEqual(read.header, HEADER)
          assert.deepEqual(cellsOf(read.rows), rows)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('returns the line on which each row starts', async () => {
    await fc.assert(
      fc.asyncProperty(table, chunkSize, async (rows, size) => {
        const text = csvOf(HEADER, rows)
        const { rows: read } = await readAll(text, size)
        let before = csvOf(HEADER, [])
        for (const [i, row] of rows.entries()) {
          assert.equal(
            read[i]?.line,
            1 + (before.match(/\r\n|\r|\n/g) ?? []).length + 1,
            'lines as an editor counts them',
          )
          before = `${before}\r\n${csvOf(row, [])}`
        }
      }),
    )
  })

  it('returns the row of the sheet, if the file is one', async () => {
    const row = (line: number, cells: string[]) => ({ line, cells, values: new Set<number>() })
    const rows = [row(2, HEADER), row(3, ['A\r\nB', 'C', 'D']), row(5, ['E', 'F', 'G'])]
    async function* openSheet() {
      yield { rows: rows.slice(0, 2), hidden: 0, bytes: 1 }
      yield { rows: rows.slice(2), hidden: 0, bytes: 2 }
    }
    const opened = await openFile({ ...sourceOf(''), openSheet })
    assert.deepEqual(
      (await listOf(opened.rows)).map(({ line }) => line),
      [3, 5],
    )
  })

  it('recognizes the delimiter by the unquoted parts of its lines', () => {
    assert.equal(delimiterOf('name,last_name\nx,y;z;a'), ',')
    assert.equal(delimiterOf('name;last_name\n'), ';')
    assert.equal(delimiterOf('name\tlast_name'), '\t')
    assert.equal(delimiterOf('"a,b,c,d";"e"'), ';')
    assert.equal(delimiterOf('email'), ',')
    assert.equal(delimiterOf('name;email;notes\nA;a;x, y\nB;b;z, w\n'), ';')
    assert.equal(
      delimiterOf(
        'Pupils of 2027, Madrid, Spain, Europe\r\nCalle Mayor 1, 28001 Madrid\r\nname;last_name;email\r\nA;B;a\r\n',
      ),
      ';',
    )
  })

  it('ignores empty lines', async () => {
    const { header, rows } = await readAll('\r\nname,last_name,email\r\n\r\nA,B,a@example.com\r\n\r\n')
    assert.deepEqual(header, HEADER)
    assert.deepEqual(rows, [{ line: 4, cells: ['A', 'B', 'a@example.com'] }])
  })
})

describe('Reading an NDJSON file', () => {
  it('returns the objects with the digits of their numbers, for any size of chunks', async () => {
    const { rows } = await readAll('{"name":"Zoë","custom_fields":{"n":1.0}}\r\n\n{"name":"😀"}', 1)
    assert.equal(
      JSON.stringify(rows),
      '[{"line":1,"object":{"name":"Zoë","custom_fields":{"n":1.0}}},{"line":3,"object":{"name":"😀"}}]',
    )
  })
})

describe('A row that cannot be read', () => {
  it('has a problem, and the other rows go on', async () => {
    const { rows } = await readAll('name,last_name,email\r\n"A\r\nB",B,C\r\nA,B\r\nA,B,C,D\r\nE,F,G\r\n')
    assert.deepEqual(
      rows.map(({ line, problem }) => [line, problem?.explanation]),
      [
        [2, undefined],
        [4, 'the row has 2 values, the header 3'],
        [5, 'the row has 4 values, the header 3'],
        [6, undefined],
      ],
    )
  })

  it('keeps its text if it is not a JSON object', async () => {
    const { rows } = await readAll('{"name":"A"}\n{"name":\n\n[]\n{"name":"B"}\n')
    assert.deepEqual(
      rows.map(({ line, problem }) => [line, problem?.code]),
      [
        [1, undefined],
        [2, 'not_json'],
        [4, 'not_object'],
        [5, undefined],
      ],
    )
    assert.deepEqual(rows[1] && 'object' in rows[1] && rows[1].object, { _line_text: '{"name":' })
  })

  it('is not quoted in the explanation, which the console stores', async () => {
    const { rows } = await readAll('{"name":"A"}\n{"name": José}\n')
    assert.equal(rows[1]?.problem?.explanation, 'not JSON')
  })
})

describe('A file that cannot be read', () => {
  const head = 'name,last_name,email\r\n'
  const cases: [what: string, content: string | Uint8Array, message: RegExp][] = [
    ['is empty', '', /^line 1: the file is empty/],
    ['is UTF-16', new Uint8Array(Buffer.from('\ufeffname', 'utf16le')), /UTF-16.*CSV UTF-8/],
    [
      'is Latin-1',
      new Uint8Array(Buffer.from(`${head}A,B,a@b.cc\nJos\u00e9,x,y`, 'latin1')),
      /^line 3, character 4: the file is not UTF-8 \(byte 0xe9\)/,
    ],
    [
      'ends within a character',
      new Uint8Array(Buffer.from(`${head}A,B,€`).subarray(0, -1)),
      /^line 2, character 5: .*not UTF-8/,
    ],
    [
      'has an unknown column',
      'name,last_name,e-mail\n',
      /^line 1, column 3: unknown column "e-mail". Known are name, last_name, email,/,
    ],
    [
      'repeats a column',
      'name,email,name\n',
      /^line 1, column 3: the column "name" is repeated \(it is also column 1\)/,
    ],
    ['lacks a column', 'name,last_name\n', /^line 1: the column "email" is missing/],
    [
      'has product columns without a product',
      'name,last_name,email,product_status\n',
      /the column "product" is missing/,
    ],
    [
      'never closes a quote',
      `${head}"A\r\nB",B,C\r\nA,"B,C\r\nA,B,C\r\n`,
      /^line 4, column 2: a quote is opened here and never closed/,
    ],
    ['has a quote inside a value', `${head}A,B"C,D\r\n`, /^line 2, column 2: a quote is inside a value/],
    ['has text after a quote', `${head}A,"B"C,D\r\n`, /^line 2, column 2: text follows a closing quote/],
    [
      'never closes a quote and is large',
      `${head}A,"${'x'.repeat(2_000_000)}`,
      /^line 2, column 2: the row is longer than/,
    ],
    ['is a JSON array', '[{"name":"A"}]', /one object on each line/],
    ['has an unknown field', '{"nmae":"A"}', /^line 1: unknown field "nmae"/],
  ]
  for (const [what, content, message] of cases) {
    it(`throws FileError with the line when it ${what}`, async () => {
      for (const size of [1, 7, 65_536]) {
        // Two million chunks of a few bytes would take minutes.
        if (size < 1000 && content.length > 1_000_000) continue
        await assert.rejects(inspect(sourceOf(content, size)), { name: 'FileError', message })
      }
    })
  }

  it('has another fingerprint when its content differs, but not when its chunks differ', async () => {
    const [one, other] = await Promise.all([inspect(sourceOf(`${head}A,B,C`)), inspect(sourceOf(`${head}A,B,D`))])
    assert.notEqual(one.fingerprint, other.fingerprint)
    assert.equal((await inspect(sourceOf(`${head}A,B,C`, 3))).fingerprint, one.fingerprint)
  })
})
