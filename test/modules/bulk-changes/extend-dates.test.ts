/** How a bulk change moves due dates: by the calendar of the store, and never earlier if that is asked for. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAt, endOfDay, extend } from '../../../src/calendar.ts'
import { admin, updateAccess } from '../../support/api.ts'
import { bulk, type Campus, carryOut, newCampus, post, read, revert, run } from '../../support/bulk.ts'
import { accessesOf, idIn, rowsOf } from '../../support/rows.ts'
import { REQUEST_RUNS } from '../../support/runs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Sets the due dates of the accesses, in their order. */
async function setDates({ store, accesses }: Campus, dates: readonly (number | null)[]): Promise<void> {
  for (const [i, date] of dates.entries())
    await rowsOf(
      'update product_accesses set access_due_date = ? where id = ?',
      date,
      await idIn(store, accesses[i] ?? ''),
    )
}

const datesOf = async ({ store }: Pick<Campus, 'store'>): Promise<(number | null)[]> =>
  (await accessesOf(store)).map((row) => row.access_due_date)

async function newCampusWith(time_zone: string, dates: readonly (number | null)[]): Promise<Campus> {
  const campus = await newCampus({ users: dates.length })
  await admin('PATCH', `/stores/${campus.store.id}`, { time_zone })
  await setDates(campus, dates)
  return campus
}

describe('A bulk change that extends', () => {
  it('keeps the time of day over a change of the clocks, and the end of a day', async () => {
    // Lisbon has summer time from 28 March 2027 on.
    const campus = await newCampusWith('Europe/Lisbon', [
      Date.UTC(2027, 2, 20, 9),
      Date.UTC(2027, 2, 20, 23, 59, 59, 999),
    ])
    await run(campus, { filter: {}, change: { extend_days: 30 } })
    expect(await datesOf(campus)).toEqual([Date.UTC(2027, 3, 19, 8), Date.UTC(2027, 3, 19, 22, 59, 59, 999)])
  })

  it('adds months: one that lacks the day ends with its last day', async () => {
    const dates = [Date.UTC(2027, 0, 31, 12), Date.UTC(2028, 0, 31, 12), Date.UTC(2027, 1, 28, 12), null]
    const campus = await newCampusWith('UTC', dates)
    expect(await run(campus, { filter: {}, change: { extend_months: 1 } })).toMatchObject({
      change: { extend_months: 1 },
      changed: 3,
      unchanged: 1,
    })
    const expected = [Date.UTC(2027, 1, 28, 12), Date.UTC(2028, 1, 29, 12), Date.UTC(2027, 2, 28, 12), null]
    expect(await datesOf(campus)).toEqual(expected)
  })

  it('counts in the zone of the store at the request, and from its time if the date has passed', async () => {
    const passed = Date.UTC(2020, 0, 1)
    const campus = await newCampusWith('America/Sao_Paulo', [passed, Date.UTC(2027, 0, 31, 1)])
    const { id, created_at } = await post(campus, { filter: {}, change: { extend_months: 1 } })
    await admin('PATCH', `/stores/${campus.store.id}`, { time_zone: 'Asia/Tokyo' })
    await carryOut(campus)
    expect((await read(campus, id)).changed).toBe(2)
    // In São Paulo it is still 30 January.
    expect(await datesOf(campus)).toEqual([
      extend(Date.parse(created_at), { months: 1 }, 'America/Sao_Paulo'),
      Date.UTC(2027, 2, 1, 1),
    ])
  })

  it('leaves a date that would move beyond the year 9999', async () => {
    const dates = [LAST_MOMENT - DAY, LAST_MOMENT - DAY + 1, LAST_MOMENT]
    const [days, months] = [await newCampusWith('UTC', dates), await newCampusWith('UTC', dates)]
    expect(await run(days, { filter: {}, change: { extend_days: 2 } })).toMatchObject({ changed: 0, unchanged: 3 })
    expect(await run(months, { filter: {}, change: { extend_months: 120 } })).toMatchObject({
      changed: 0,
      unchanged: 3,
    })
    expect(await datesOf(days)).toEqual(dates)
    expect(await datesOf(months)).toEqual(dates)
  })

  it('lands where the calendar lands', async () => {
    const zones = ['America/Santiago', 'Africa/Cairo', 'America/Nuuk', 'Asia/Gaza', 'Australia/Lord_Howe', 'UTC']
    const near = fc.integer({ min: Date.UTC(2027, 0, 1), max: Date.UTC(2070, 0, 1) })
    // The clock of a zone ends in 2129, and repeats.
    const instant = fc.oneof(near, fc.integer({ min: Date.UTC(2115, 0, 1), max: Date.UTC(9985, 0, 1) }))
    const span = fc.oneof(
      fc.record({ days: fc.integer({ min: 1, max: 3650 }) }),
      fc.record({ months: fc.integer({ min: 1, max: 120 }) }),
    )
    const dates = fc.array(fc.tuple(instant, fc.boolean()), { minLength: 12, maxLength: 12 })
    const campus = await newCampus({ users: 12 })
    const property = fc.asyncProperty(fc.constantFrom(...zones), span, dates, async (zone, by, drawn) => {
      const due = drawn.map(([at, isEnd]) => (isEnd ? endOfDay(dayAt(at, zone), zone) : at))
      await admin('PATCH', `/stores/${campus.store.id}`, { time_zone: zone })
      await setDates(campus, due)
      const change = 'days' in by ? { extend_days: by.days } : { extend_months: by.months }
      await run(campus, { filter: {}, change })
      expect(await datesOf(campus)).toEqual(due.map((date) => extend(date, by, zone)))
    })
    await fc.assert(property, { numRuns: Math.ceil(REQUEST_RUNS / 4) })
  })
})

describe('A bulk change with never_shorten', () => {
  const NEW = Date.UTC(2030, 0, 1)

  it('leaves a date that is later, and no date, and sets the status all the same', async () => {
    const campus = await newCampusWith('UTC', [NEW - 1, NEW, NEW + 1, null])
    const change = { status: 'without_access', access_due_date: iso(NEW), never_shorten: true }
    const result = await run(campus, { filter: {}, change })
    expect(result).toMatchObject({ change, changed: 4 })
    expect(result.effects).toEqual({ opened: 0, closed: 4, later: 1, earlier: 0, limited: 0, unlimited: 0 })
    expect(await datesOf(campus)).toEqual([NEW, NEW, NEW + 1, null])
    expect((await accessesOf(campus.store)).map(({ status }) => status)).toEqual(Array(4).fill('without_access'))
  })

  it('removes dates as without it, and without it a date is set to an earlier one', async () => {
    const campus = await newCampusWith('UTC', [NEW, null])
    const removed = await run(campus, { filter: {}, change: { access_due_date: null, never_shorten: true } })
    expect(removed).toMatchObject({ changed: 1, unchanged: 1, effects: { unlimited: 1 } })
    await setDates(campus, [NEW + 1, null])
    for (const never_shorten of [undefined, false]) {
      const change = { access_due_date: iso(NEW), never_shorten }
      expect(await run(campus, { filter: {}, change })).toMatchObject({ change: { access_due_date: iso(NEW) } })
      expect(await datesOf(campus)).toEqual([NEW, NEW])
    }
  })
})

describe('The effects of a bulk change', () => {
  const NEW = Date.UTC(2030, 0, 1)

  it('are counts of what changes, also of a dry run and of a revert', async () => {
    const campus = await newCampusWith('UTC', [NEW - 1, NEW + 1, null, NEW, NEW])
    await updateAccess(campus.store, campus.accesses[3] ?? '', { status: 'without_access' })
    await updateAccess(campus.store, campus.accesses[0] ?? '', { status: 'without_access' })
    const body = { filter: {}, change: { status: 'with_access', access_due_date: iso(NEW) } }
    const effects = { opened: 2, closed: 0, later: 1, earlier: 1, limited: 1, unlimited: 0 }
    const dry = await run(campus, { ...body, dry_run: true })
    expect(dry).toMatchObject({ matched: 5, changed: 4, unchanged: 1, effects })
    const first = await run(campus, body)
    expect(first).toMatchObject({ changed: 4, effects })
    expect(await revert(campus, first.id)).toMatchObject({
      changed: 4,
      effects: { opened: 0, closed: 2, later: 1, earlier: 1, limited: 0, unlimited: 1 },
    })
  })

  it('do not count what does not match, and are 0 before it runs', async () => {
    const campus = await newCampusWith('UTC', [NEW, null])
    const none = { opened: 0, closed: 0, later: 0, earlier: 0, limited: 0, unlimited: 0 }
    const { json } = await bulk(campus, 'POST', '', {
      filter: { due_before: iso(NEW + 1) },
      change: { status: 'without_access' },
    })
    expect(json.effects).toEqual(none)
    await carryOut(campus)
    expect((await read(campus, json.id)).effects).toEqual({ ...none, closed: 1 })
  })
})
