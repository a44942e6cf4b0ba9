import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, csvLine, jsonCell, spreadsheetCsv } from '../../../src/modules/csv-files/csv.ts'

/** These characters break CSV readers or spreadsheets. */
const awkward = fc.constantFrom(
  '"',
  '""',
  ',',
  '\r',
  '\n',
  '\r\n',
  ';',
  '\t',
  ' ',
  "'",
  '=',
  '+',
  '-',
  '@',
  '\ufeff',
  '\u2028',
  'é',
  '😀',
)
const text = fc.oneof(
  fc
    .array(fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 8 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary-ascii' }),
)
const cell: fc.Arbitrary<Cell> = fc.option(text, { nil: undefined, freq: 4 })
const rowsOf = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))

/** Parses the text with a parser of others, which returns undefined for an empty cell without quotes. */
function read(csv: string, delimiter = ','): Cell[][] {
  return parse(csv, {
    delimiter,
    record_delimiter: '\r\n',
    cast: (value, { quoting }) => (value === '' && !quoting ? undefined : value),
  })
}

/** Builds the cell part by part, which is slower and plainer than the expression. */
function disarmed(value: string): string {
  let written = ''
  let before = ''
  for (const character of value) {
    const isBeginning = '\n\r;,\t'.includes(before)
    written += isBeginning && '=+-@\t\r'.includes(character) ? `'${character}` : character
    before = character
  }
  return written
}

describe('csvLine', () => {
  it('is parsed back to the cells that were written, omitted ones included', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        expect(read(rows.map((row) => csvLine(row)).join(''))).toEqual(rows)
      }),
      { numRuns: 500 },
    )
  })

  it('ends lines with CRLF and quotes only the cells that need it', () => {
    expect(csvLine(['a', undefined, 'b c', '-1', "it's"])).toBe("a,,b c,-1,it's\r\n")
    expect(csvLine(['', 'a"b', 'a,b', 'a\nb', 'a\rb'])).toBe('"","a""b","a,b","a\nb","a\rb"\r\n')
  })

  it('writes each part that begins like a formula with an apostrophe before it, and nothing else, for a spreadsheet', () => {
    fc.assert(
      fc.property(rowsOf, fc.constantFrom('ES', 'EN'), (rows, language) => {
        const format = spreadsheetCsv(language)
        const written = read(rows.map((row) => csvLine(row, format)).join(''), format.separator)
        expect(written).toEqual(rows.map((row) => row.map((value) => value && disarmed(value))))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "\n'=1"],
    ['\r\n=1', "'\r\n'=1"],
    ['a\r\n=1', "a\r\n'=1"],
    ['a\n-1\n+1', "a\n'-1\n'+1"],
    ['a;=1', "a;'=1"],
    ['a,@x', "a,'@x"],
    ['a\t\tb', "a\t'\tb"],
    ['a;b,c\td', 'a;b,c\td'],
    ['a=1', 'a=1'],
    ['a; =1', 'a; =1'],
    ["'=1", "'=1"],
    ['＝1', '＝1'],
  ])('writes %j as %j for a spreadsheet', (value, expected) => {
    expect(read(csvLine([value, ''], spreadsheetCsv('EN')))).toEqual([[expected, '']])
    expect(read(csvLine([value, '']))).toEqual([[value, '']])
  })

  it.each([
    ['ES', ';'],
    ['PT', ';'],
    ['EN', ','],
  ])('separates the cells of a spreadsheet in %s by %s, after a byte order mark', (language, separator) => {
    const format = spreadsheetCsv(language)
    expect(format.start).toBe('\ufeff')
    expect(csvLine(['a', 'b;c', 'd,e', 'f\tg'], format)).toBe(
      ['a', '"b;c"', '"d,e"', '"f\tg"'].join(separator) + '\r\n',
    )
  })
})

describe('jsonCell', () => {
  /** Parses the cell as the import does. */
  function valueOf(written: string): unknown {
    try {
      return JSON.parse(written)
    } catch {
      return written
    }
  }

  it('is parsed back to the value that was written, even for a string that looks like JSON', () => {
    const json = fc.json({ maxDepth: 1 })
    const padded = fc
      .tuple(fc.constantFrom(' ', '\n', '\t', '\u00a0', '\ufeff', ''), json)
      .map((parts) => parts.join(''))
    const value = fc.oneof(
      text,
      padded,
      fc.constantFrom('7', '1e5', '-0', 'null', 'true', 'NaN', '007', '-'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
      fc.boolean(),
      fc.constant(null),
    )
    fc.assert(
      fc.property(value, (written) => {
        expect(valueOf(jsonCell(written))).toEqual(written)
        expect(jsonCell(written)).not.toBe('')
      }),
      { numRuns: 1000 },
    )
  })

  it('writes a string without quotes unless it is valid JSON or empty', () => {
    expect(['a', '=1', '-', '007', '7', 'true', '', ' '].map(jsonCell)).toEqual([
      'a',
      '=1',
      '-',
      '007',
      '"7"',
      '"true"',
      '""',
      ' ',
    ])
    expect([7, 1.5, false, null].map(jsonCell)).toEqual(['7', '1.5', 'false', 'null'])
  })
})
