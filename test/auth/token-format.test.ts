import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idOf } from '../../src/db/ids.ts'
import { isEqual, isTokenLike, newSecret, readToken, usableKeys, writeToken } from '../../src/auth/token-format.ts'

const KEY = 'a'.repeat(32)
const OTHER_KEY = 'b'.repeat(32)

describe('A token', () => {
  it.each([
    [1, 1, 'rgs_1_1_'],
    [2_097_151, 2 ** 32 - 1, 'rgs_2097151_4294967295_'],
    [0, 7, 'rgo_0_7_'],
  ])('of store %d and token %d starts with %s%s and can be read back', (store, n, start) => {
    const { bits, hash } = newSecret()
    const token = writeToken(KEY, idOf(store, n), bits)
    expect(token.startsWith(start)).toBe(true)
    expect(isTokenLike(token)).toBe(true)
    expect(readToken([KEY], token)).toEqual({ id: idOf(store, n), hash })
    expect(readToken([OTHER_KEY, KEY], token)).toEqual({ id: idOf(store, n), hash })
  })

  it('is rejected under another key and without a key', () => {
    const token = writeToken(KEY, idOf(1, 2), newSecret().bits)
    expect(readToken([OTHER_KEY], token)).toBeUndefined()
    expect(readToken([], token)).toBeUndefined()
  })

  it('is rejected when any one character differs', () => {
    const token = writeToken(KEY, idOf(12, 345), newSecret().bits)
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('0', '1', 'A', 'z', '_', '-', '~'), (i, letter) => {
        fc.pre(token[i] !== letter)
        expect(readToken([KEY], token.slice(0, i) + letter + token.slice(i + 1))).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, (token: string) => string]>([
    ['truncated', (token) => token.slice(0, -1)],
    ['too long', (token) => `${token}A`],
    ['of another kind', (token) => token.replace('rgs', 'rgo')],
    ['written with a leading zero', (token) => token.replace('_12_', '_012_')],
    ['surrounded by spaces', (token) => ` ${token}`],
    ['without its MAC', (token) => token.slice(0, -43)],
    ['empty', () => ''],
  ])('is rejected when it is %s', (_, change) => {
    const token = writeToken(KEY, idOf(12, 345), newSecret().bits)
    expect(readToken([KEY], change(token))).toBeUndefined()
  })

  it('stores only a hash of its random part', () => {
    const { bits, hash } = newSecret()
    expect(bits).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(newSecret().bits).not.toBe(bits)
  })
})

describe('usableKeys', () => {
  it.each([
    [{}, []],
    [{ TOKEN_KEY: '' }, []],
    [{ TOKEN_KEY: 'x'.repeat(31), TOKEN_KEY_PREVIOUS: OTHER_KEY }, []],
    [{ TOKEN_KEY: KEY }, [KEY]],
    [{ TOKEN_KEY: KEY, TOKEN_KEY_PREVIOUS: '' }, [KEY]],
    [{ TOKEN_KEY: KEY, TOKEN_KEY_PREVIOUS: 'x'.repeat(31) }, [KEY]],
    [{ TOKEN_KEY: KEY, TOKEN_KEY_PREVIOUS: OTHER_KEY }, [KEY, OTHER_KEY]],
  ])('of %j returns %j, with the key for new tokens first', (env, keys) => {
    expect(usableKeys(env)).toEqual(keys)
  })
})

describe('isEqual', () => {
  it.each([
    ['', '', true],
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['é', 'e\u0301', false],
  ])('of %j and %j is %s', (a, b, equal) => {
    expect(isEqual(a, b)).toBe(equal)
  })
})
