import { describe, expect, it } from 'vitest'
import { jsonErrorPosition } from '../../../src/http/errors/json-error.ts'

describe('jsonErrorPosition', () => {
  it.each([
    ['', 1],
    ['  ', 3],
    ['{"a":1,}', 8],
    ['[1,]', 4],
    ['[1 2]', 4],
    ['{"a" 1}', 6],
    ['{a:1}', 2],
    ["{'a':1}", 2],
    ['01', 2],
    ['1.', 3],
    ['-x', 2],
    ['1e+}', 4],
    ['1.e5', 3],
    ['nul', 4],
    ['trUe', 3],
    ['"a\\x"', 4],
    ['"\\u12G4"', 6],
    ['"\\u12', 6],
    ['"a\tb"', 3],
    ['"😀\t"', 3],
    ['[}', 2],
    ['{}]', 3],
    ['NaN', 1],
    ['1 // x', 3],
  ])('of %j is column %d', (text, column) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(jsonErrorPosition(text)).toMatchObject({ line: 1, column })
  })

  it('counts lines that end in CRLF, CR or LF', () => {
    expect(jsonErrorPosition('{\r\n"a":1,\n\r}')).toEqual({ line: 4, column: 1, isAtEnd: false })
  })

  it('agrees with JSON.parse about each text with one character changed', () => {
    const text = '{"a": [-1.5e+3, true, null, "\\u00e9\\n"], "b": {"c": false}}'
    for (const index of text.length === 0 ? [] : text.split('').keys()) {
      for (const character of ['', ',', '"', '}', ']', '0', 'e', '.', '\\', ' ', ':', '-']) {
        const changed = text.slice(0, index) + character + text.slice(index + 1)
        expect([changed, jsonErrorPosition(changed) === undefined]).toEqual([changed, isJson(changed)])
      }
    }
    expect(jsonErrorPosition('['.repeat(30_000))).toMatchObject({ column: 30_001, isAtEnd: true })
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
