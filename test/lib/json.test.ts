import { describe, expect, it } from 'vitest'
import { isObject, jsonText, parseDigits } from '../../src/lib/json.ts'

const DEPTH = 32_000

function sorted(text: string): string {
  return jsonText(JSON.parse(text), { sortKeys: true })
}

describe('jsonText', () => {
  it.each([
    '{}',
    '[]',
    'null',
    '""',
    '0',
    '[[],{},[{}]]',
    '{"a":[1,2.5,-3e-7,true,false,null],"b":{"c":"d"}}',
    '{"":"","__proto__":{"a":1},"constructor":null}',
    String.raw`"\"\\\u0000\u2028\ud800😀"`,
  ])('of %s returns the text of JSON.stringify', (text) => {
    expect(jsonText(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('sorts keys at every depth and changes nothing else', () => {
    expect(sorted('{"b":[{"d":1,"c":2},3],"a":{"z":1,"y":2}}')).toBe('{"a":{"y":2,"z":1},"b":[{"c":2,"d":1},3]}')
    expect(sorted('{"10":1,"9":2,"a":3,"A":4}')).toBe('{"10":1,"9":2,"A":4,"a":3}')
  })

  it.each([
    ['1', '"1"'],
    ['1', 'true'],
    ['null', '{}'],
    ['null', '"null"'],
    ['[]', '{}'],
    ['[1,2]', '[2,1]'],
    ['[1,2]', '[12]'],
    ['{"a":null}', '{}'],
    ['{"a":"b\\",\\"c\\":\\"d"}', '{"a":"b","c":"d"}'],
    ['1e999', 'null'],
    ['1e999', '-1e999'],
    ['"é"', '"e\u0301"'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
  ])('returns different texts for %s and %s', (a, b) => {
    expect(sorted(a)).not.toBe(sorted(b))
  })

  it.each([
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    [String.raw`"\u0041"`, '"A"'],
    ['{"a":1,"a":2}', '{"a":2}'],
  ])('returns the same text for %s and %s, which are equal once parsed', (a, b) => {
    expect(sorted(a)).toBe(sorted(b))
  })

  it('writes values that are nested too deeply for recursion', () => {
    const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
    expect(jsonText(JSON.parse(lists))).toBe(lists)
    const objects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
    expect(jsonText(JSON.parse(objects), { sortKeys: true })).toBe(objects)
  })

  it('stops soon after its limit', () => {
    const text = jsonText(
      Array.from({ length: 100_000 }, () => 'word'),
      { limit: 100 },
    )
    expect(text.length).toBeGreaterThanOrEqual(100)
    expect(text.length).toBeLessThan(110)
  })
})

describe('isObject', () => {
  it('returns true only for objects', () => {
    expect([{}, [], null, 'a', 1, true, undefined].map(isObject)).toEqual([true, ...Array(6).fill(false)])
  })
})

describe('parseDigits', () => {
  it.each([
    ['1', '1.0'],
    ['1', '"1"'],
    ['"s1"', '"1"'],
    ['[-0]', '[0]'],
    ['1e5', '1E5'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"1":1}', '{"1":"1"}'],
    ['"\\\\"', '"\\\\\\\\"'],
  ])('returns different values for %s and %s', (a, b) => {
    expect(jsonText(parseDigits(a))).not.toBe(jsonText(parseDigits(b)))
  })

  it.each([
    [' { "a" : [ 1 , true ] } ', '{"a":[1,true]}'],
    ['"\\u0041\\"5"', '"A\\"5"'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['"5 \\\\"', '"5 \\u005c"'],
  ])('returns the same value for %s and %s', (a, b) => {
    expect(jsonText(parseDigits(a))).toBe(jsonText(parseDigits(b)))
  })
})
