import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../src/domain/users/countries.ts'

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

describe('isCountry', () => {
  it('takes the 249 codes that ISO 3166-1 assigns', () => {
    const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry)
    expect(codes).toHaveLength(249)
  })

  it('agrees with the runtime about what names a region', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry)
    expect(codes.filter((code) => names.of(code) === undefined)).toEqual([])
  })

  it.each(['XK', 'UK', 'EU', 'AA', 'ZZ', 'AN', 'SU', 'CS', 'AC', 'QM', 'us', 'Us', 'USA', 'U', '', 'U ', '__proto__'])(
    'refuses %j',
    (code) => {
      expect(isCountry(code)).toBe(false)
    },
  )
})
