import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayFromText } from '../src/forms/day-text.ts'
import { LANGUAGES, type Language } from '../src/words/languages.ts'

const TAGS = Object.keys(LANGUAGES).filter((tag): tag is Language => Object.hasOwn(LANGUAGES, tag))

describe('a day that is typed', () => {
  it('is read as the console writes it, in every language and month', () => {
    for (const language of TAGS) {
      for (const dateStyle of ['short', 'medium', 'long'] as const) {
        const format = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' })
        for (let month = 0; month < 12; month++) {
          const day = new Date(Date.UTC(2027, month, 25))
          const text = format.format(day)
          // The shortest form has a year of two digits, which could be another century.
          const isShort = !text.includes('2027')
          assert.equal(dayFromText(text, language), isShort ? undefined : day.toISOString().slice(0, 10), text)
        }
      }
    }
  })

  it('begins with the day in Spanish and Portuguese, and in English only where nothing else is possible', () => {
    for (const language of TAGS.filter((tag) => tag !== 'en')) {
      for (const text of ['3/4/2027', '03.04.2027', ' 03-04-2027 ', '3 4 2027']) {
        assert.equal(dayFromText(text, language), '2027-04-03')
      }
    }
    assert.equal(dayFromText('3/4/2027', 'en'), undefined)
    assert.equal(dayFromText('30/4/2027', 'en'), '2027-04-30')
    assert.equal(dayFromText('4/30/2027', 'en'), '2027-04-30')
    assert.equal(dayFromText('2027-04-03', 'en'), '2027-04-03')
    assert.equal(dayFromText('3 sept 2027', 'es'), '2027-09-03')
  })

  it('is none if the month has no such day, or something is missing', () => {
    for (const text of [
      '30/02/2027',
      '29/02/2027',
      '1/13/2027',
      '31/01',
      '31/01/27',
      'enero 2027',
      '',
      'mañana',
      '1/1/20270',
    ]) {
      assert.equal(dayFromText(text, 'es'), undefined, text)
    }
    assert.equal(dayFromText('29/02/2028', 'es'), '2028-02-29')
  })
})
