import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../src/modules/users/countries.ts'

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

describe('isCountry', () => {
  it('accepts the 249 codes that ISO 3166-1 assigns', () => {
    const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry)
    expect(codes).toHaveLength(249)
  })

  it('accepts only codes for which the runtime knows a region', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry)
    expect(codes.filter((code) => names.of(code) === undefined)).toEqual([])
  })

  it.each(['XK', 'UK', 'EU', 'AA', 'ZZ', 'AN', 'SU', 'CS', 'AC', 'QM', 'us', 'Us', 'USA', 'U', '', 'U ', '__proto__'])(
    'rejects %j',
    (code) => {
      expect(isCountry(code)).toBe(false)
    },
  )
})
