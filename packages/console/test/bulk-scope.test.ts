import './browser-globals.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  confirmationFor,
  haveAllEnded,
  isConfirmed,
  sameEndFilter,
  seenCounts,
} from '../src/screens/bulk-changes/scope.ts'

const NONE = { opened: 0, closed: 0, later: 0, earlier: 0, limited: 0, unlimited: 0 }

describe('a large bulk change', () => {
  it('is one of the whole store, or of more than 1,000 accesses', () => {
    const later = (changed: number) => ({ changed, effects: { ...NONE, later: changed } })
    assert.deepEqual(confirmationFor({}, later(1)), { changed: 1 })
    assert.equal(confirmationFor({}, later(0)), undefined)
    assert.equal(confirmationFor({ product_id: '7' }, later(1000)), undefined)
    assert.deepEqual(confirmationFor({ product_id: '7' }, later(1001)), { changed: 1001 })
  })

  it('is also one that shortens or closes more than 100 accesses, which is confirmed by this number alone', () => {
    const effects = { ...NONE, opened: 9, closed: 50, later: 900, earlier: 50 }
    assert.equal(confirmationFor({ product_id: '7' }, { changed: 1000, effects }), undefined)
    const toType = confirmationFor({}, { changed: 1001, effects: { ...effects, limited: 1 } })
    assert.deepEqual(toType, { losses: 101 })
    assert.equal(isConfirmed('101', { losses: 101 }, 'Academia'), true)
    for (const text of ['', '1001', 'Academia']) assert.equal(isConfirmed(text, { losses: 101 }, 'Academia'), false)
  })

  it('is confirmed by its number, as any language writes it, or by the name of the store', () => {
    for (const text of ['12345', '12,345', '12.345', '12 345', ' 12\u00a0345', ' Academia Ñ', 'ACADEMIA ñ']) {
      assert.equal(isConfirmed(text, { changed: 12_345 }, 'Academia Ñ '), true, text)
    }
    for (const text of ['', '1234', '12345 6', 'Academia', 'yes']) {
      assert.equal(isConfirmed(text, { changed: 12_345 }, 'Academia Ñ'), false, text)
    }
  })
})

describe('a date of a bulk change', () => {
  const date = '2027-01-31T23:59:59.999Z'

  it('is no change for people where an access ends within the same second', () => {
    const counted = { changed: 10, unchanged: 2, effects: { ...NONE, later: 7, earlier: 2, limited: 1, opened: 3 } }
    // Of five that end within the second, one is opened as well, which people see.
    const sameEnd = { changed: 5, unchanged: 0, effects: { ...NONE, later: 4, earlier: 1, opened: 1 } }
    assert.deepEqual(seenCounts(counted, sameEnd), {
      changed: 6,
      unchanged: 6,
      effects: { ...NONE, later: 3, earlier: 1, limited: 1, opened: 3, sameDay: 5 },
    })
    assert.deepEqual(seenCounts(counted, undefined).effects, { ...counted.effects, sameDay: 0 })
  })

  it('finds these accesses within the filter', () => {
    const change = { access_due_date: date }
    const second = { due_after: '2027-01-31T23:59:59.000Z', due_before: '2027-02-01T00:00:00.000Z' }
    assert.deepEqual(sameEndFilter({ filter: { product_id: '7' }, change }), { product_id: '7', ...second })
    const filter = { due_after: '2027-01-31T23:59:59.500Z', due_before: '2027-06-30T00:00:00.000Z' }
    assert.deepEqual(sameEndFilter({ filter, change }), { ...second, due_after: filter.due_after })
    assert.equal(sameEndFilter({ filter: { due_before: second.due_after }, change }), undefined)
    for (const other of [{ access_due_date: null }, { extend_days: 30 }, { status: 'with_access' as const }])
      assert.equal(sameEndFilter({ filter: {}, change: other }), undefined)
  })
})

it('tells whether all accesses of a bulk change have ended, by the filter or one by one', () => {
  const now = Date.parse('2031-03-10T12:00:00Z')
  const access = (access_due_date: string | null): any => ({ status: 'with_access', access_due_date })
  const [past, future] = [access('2031-03-09T12:00:00Z'), access('2031-03-11T12:00:00Z')]
  assert.equal(haveAllEnded({ filter: { state: 'ended' } }, now), true)
  assert.equal(haveAllEnded({ filter: { product: '7' } }, now), false)
  assert.equal(haveAllEnded({ filter: {}, chosen: [past] }, now), true)
  assert.equal(haveAllEnded({ filter: {}, chosen: [past, future] }, now), false)
  assert.equal(haveAllEnded({ filter: {}, chosen: [{ ...past, status: 'without_access' }] }, now), false)
})
