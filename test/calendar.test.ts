import { env } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import {
  addMonths,
  dayAt,
  endOfDay,
  extend,
  instantAt,
  isSameZone,
  isTimeZone,
  LAST_MOMENT,
  localText,
  localTimeText,
  startOfDay,
  withinYears,
} from '../src/calendar.ts'
import { allChanges, checkZone, zonesToTry } from './support/calendar-properties.ts'

const RUNS = env.TIME_ZONES === 'all' ? 300 : 30

const at = (text: string) => Date.parse(text)
const shown = (instant: number | undefined) => (instant === undefined ? undefined : new Date(instant).toISOString())

describe.each(zonesToTry(env.TIME_ZONES))('the calendar of %s', (zone) => {
  it('has the days that Temporal has, and their ends', () => expect(() => checkZone(zone, RUNS)).not.toThrow())
})

// Node and workerd bring their own data of zones. Those of past years, and of zones that a law has just changed, differ.
describe.each(zonesToTry(undefined))('the clocks of %s', (zone) => {
  it('change at the same times in the Worker and in Node', () => {
    const since2026 = (changes: [number, number][] = []) => changes.filter(([instant]) => instant >= Date.UTC(2026))
    expect(since2026(allChanges(zone))).toEqual(since2026(inject('offsets')[zone]))
  })
})

describe('the end of a day', () => {
  it.each([
    ['Europe/Madrid', '2027-12-31', '2027-12-31T22:59:59.999Z'],
    ['America/Santiago', '2027-04-03', '2027-04-04T03:59:59.999Z'],
    ['Africa/Cairo', '2027-10-28', '2027-10-28T21:59:59.999Z'],
    ['America/Nuuk', '2027-03-27', '2027-03-28T00:59:59.999Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30T09:59:59.999Z'],
    ['America/St_Johns', '2010-11-06', '2010-11-07T03:29:59.999Z'],
    ['Pacific/Kiritimati', '9999-12-31', '9999-12-31T09:59:59.999Z'],
    ['America/Sao_Paulo', '9999-12-31', '9999-12-31T23:59:59.999Z'],
    ['UTC', '0000-01-01', '0000-01-01T23:59:59.999Z'],
  ])('in %s, %s ends at %s', (zone, day, end) => expect(shown(endOfDay(day, zone))).toBe(end))

  it('of a day that the zone skips is later by the length of the gap', () => {
    expect(shown(endOfDay('2011-12-30', 'Pacific/Apia'))).toBe('2011-12-31T09:59:59.999Z')
    expect(shown(startOfDay('2011-12-30', 'Pacific/Apia'))).toBe('2011-12-30T10:00:00.000Z')
  })
})

describe('a wall time', () => {
  it.each([
    ['Europe/Lisbon', '2027-03-28T01:30:00', '2027-03-28T01:30:00.000Z', 'skipped, so later by an hour'],
    ['Europe/Lisbon', '2027-10-31T01:30:00', '2027-10-31T01:30:00.000Z', 'the second of two'],
    ['Australia/Lord_Howe', '2027-10-03T02:15:00', '2027-10-02T15:45:00.000Z', 'skipped, so later by half an hour'],
    ['Europe/Madrid', '2027-07-01T12:00:00', '2027-07-01T10:00:00.000Z', 'like any other'],
  ])('in %s, %s is %s: %s', (zone, wall, instant) => expect(shown(instantAt(at(`${wall}Z`), zone))).toBe(instant))
})

describe('extending', () => {
  it.each([
    ['Europe/Madrid', '2027-09-30T21:59:59.999Z', { days: 60 }, '2027-11-29T22:59:59.999Z'],
    ['Europe/Lisbon', '2027-02-28T23:59:59.999Z', { days: 31 }, '2027-03-31T22:59:59.999Z'],
    ['Europe/Lisbon', '2028-01-31T23:59:59.000Z', { months: 1 }, '2028-02-29T23:59:59.000Z'],
    ['Europe/Lisbon', '2027-01-31T12:00:00.000Z', { months: 1 }, '2027-02-28T12:00:00.000Z'],
    ['Europe/Lisbon', '2027-03-27T01:30:00.000Z', { days: 1 }, '2027-03-28T01:30:00.000Z'],
    ['Europe/Lisbon', '2027-10-30T00:30:00.000Z', { days: 1 }, '2027-10-31T01:30:00.000Z'],
    ['America/Nuuk', '2027-03-27T01:59:59.500Z', { days: 1 }, '2027-03-28T00:59:59.500Z'],
    ['America/Nuuk', '2027-03-28T00:59:59.999Z', { days: 1 }, '2027-03-29T00:59:59.999Z'],
    ['America/Santiago', '2027-04-03T02:59:59.999Z', { days: 1 }, '2027-04-04T03:59:59.999Z'],
    ['UTC', '9999-12-30T23:59:59.999Z', { days: 1 }, '9999-12-31T23:59:59.999Z'],
    ['UTC', '9999-12-31T00:00:00.000Z', { days: 1 }, undefined],
    ['America/Sao_Paulo', '9999-12-30T02:59:59.999Z', { days: 2 }, undefined],
  ])('in %s, %s and %j is %s', (zone, instant, by, later) => expect(shown(extend(at(instant), by, zone))).toBe(later))

  it('by months keeps the day, or takes the last one of the month', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
    expect(addMonths('2027-12-15', 2)).toBe('2028-02-15')
    expect(addMonths('2028-02-29', 12)).toBe('2029-02-28')
  })
})

describe('the text of an export', () => {
  it.each([
    ['the end of a day', '2027-12-31T22:59:59.999Z', '2027-12-31'],
    ['another moment of its last second', '2027-12-31T22:59:59.000Z', '2027-12-31'],
    ['midnight, which ends the day before', '2027-12-31T23:00:00.000Z', '2027-12-31'],
    ['a time', '2027-12-31T22:59:58.999Z', '2027-12-31 23:59:58'],
    ['noon', '2027-07-01T10:00:00.000Z', '2027-07-01 12:00:00'],
  ])('of %s', (_, instant, text) => expect(localText(at(instant), 'Europe/Madrid')).toBe(text))

  it('of the midnight after the last moment of the API is its last day', () =>
    expect(localText(LAST_MOMENT, 'UTC')).toBe('9999-12-31'))

  it.each(['Europe/Madrid', 'Pacific/Kiritimati', 'America/Santiago'])('has no day after the year 9999 in %s', (zone) =>
    expect(localText(LAST_MOMENT, zone)).toMatch(/^9999-12-31/),
  )

  it.each([
    ['Asia/Tokyo', LAST_MOMENT, '9999-12-31', '9999-12-31 23:59:59'],
    ['America/New_York', at('0000-01-01T00:00:00.000Z'), '0000-01-01', '0000-01-01 00:00:00'],
    ['UTC', at('0000-01-01T00:00:00.000Z'), '0000-01-01', '0000-01-01 00:00:00'],
  ])('has years of four digits in %s', (zone, instant, due, time) => {
    expect(localText(instant, zone)).toBe(due)
    expect(dayAt(instant, zone)).toBe(due)
    expect(localTimeText(instant, zone)).toBe(time)
    expect(localTimeText(withinYears(instant, zone), zone)).toBe(time)
  })

  it('of what has happened at midnight is the day that begins', () => {
    expect(localTimeText(at('2027-12-31T23:00:00.000Z'), 'Europe/Madrid')).toBe('2028-01-01 00:00:00')
    expect(localTimeText(at('2027-12-31T22:59:59.999Z'), 'Europe/Madrid')).toBe('2027-12-31 23:59:59')
  })
})

describe('the name of a time zone', () => {
  it.each([
    'UTC',
    'Europe/Lisbon',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Africa/Porto-Novo',
  ])('may be %s', (name) => expect(isTimeZone(name)).toBe(true))

  it.each([
    'utc',
    'CET',
    'EST5EDT',
    'GMT',
    'GB',
    '+01:00',
    'UTC+1',
    'Etc/GMT+5',
    'Etc/Unknown',
    'Europe/Madrit',
    '',
    ' UTC',
  ])('may not be "%s"', (name) => expect(isTimeZone(name)).toBe(false))

  it('is compared by the zone that it resolves to', () => {
    expect(isSameZone('Asia/Kolkata', 'Asia/Calcutta')).toBe(true)
    expect(isSameZone('Europe/Lisbon', 'Europe/Madrid')).toBe(false)
    expect(isSameZone('Mars/Base', 'Moon/Base')).toBe(false)
  })

  it('that the runtime lacks has no days', () => expect(() => dayAt(0, 'Mars/Base')).toThrow(RangeError))
})

it('keeps a bounded number of formatters, because a zone has a name in each combination of letter cases', () => {
  // The bits of the number are the letters in upper case.
  const spelled = (bits: number) =>
    Array.from('europe/lisbon', (letter, i) => ((bits >> i) & 1 ? letter.toUpperCase() : letter)).join('')
  const built = vi.spyOn(Intl, 'DateTimeFormat')
  try {
    expect(Array.from({ length: 1000 }, (_, n) => isTimeZone(spelled(n))).every(Boolean)).toBe(true)
    built.mockClear()
    isTimeZone(spelled(0))
    expect(built).toHaveBeenCalledTimes(1)
  } finally {
    built.mockRestore()
  }
})
