import './browser-globals.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { haveAllEnded, isConfirmation, lossesToConfirm, needsConfirmation } from '../src/screens/bulk-changes/scope.ts'

describe('a large bulk change', () => {
  it('is one of the whole store, or of more than 1,000 accesses', () => {
    assert.equal(needsConfirmation({}, 1), true)
    assert.equal(needsConfirmation({ product_id: '7' }, 1000), false)
    assert.equal(needsConfirmation({ product_id: '7' }, 1001), true)
  })

  it('is also one that shortens or closes more than 100 accesses, which is confirmed by this number alone', () => {
    const effects = { opened: 9, closed: 50, later: 900, earlier: 50, limited: 0, unlimited: 0 }
    assert.equal(lossesToConfirm(effects), undefined)
    assert.equal(lossesToConfirm({ ...effects, limited: 1 }), 101)
    assert.equal(isConfirmation('101', 101, ''), true)
    assert.equal(isConfirmation('', 101, ''), false)
  })

  it('is confirmed by its number, as any language writes it, or by the name of the store', () => {
    for (const text of ['12345', '12,345', '12.345', '12 345', ' 12\u00a0345', ' Academia Ñ', 'ACADEMIA ñ']) {
      assert.equal(isConfirmation(text, 12_345, 'Academia Ñ '), true, text)
    }
    for (const text of ['', '1234', '12345 6', 'Academia', 'yes']) {
      assert.equal(isConfirmation(text, 12_345, 'Academia Ñ'), false, text)
    }
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
