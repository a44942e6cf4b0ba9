import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { longNumbersAsTexts } from '../src/api/long-numbers.ts'

describe('numbers with more digits than a double', () => {
  it('become texts, and no other number or text changes', () => {
    const kept =
      '{"a":123456789012345,"b":-0.000123456789012345,"c":1e21,"d":"1234567890123456789","e":"\\"12345678901234567,"}'
    assert.equal(longNumbersAsTexts(kept), kept)
    const long = '{"a":[12345678901234567,-0.1234567890123456],"b":1.000000000000000000e5,"c":"x"}'
    assert.deepEqual(JSON.parse(longNumbersAsTexts(long)), {
      a: ['12345678901234567', '-0.1234567890123456'],
      b: '1.000000000000000000e5',
      c: 'x',
    })
  })
})
