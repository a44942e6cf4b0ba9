import './browser-globals.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCESS_STATUSES } from '../../../src/db/schema/access-status.ts'
import { accessStateOf, isOpenStatus } from '../src/parts/access-states.ts'
import { toQuery } from '../src/screens/accesses/filter.ts'
import { isSameEnd } from '../src/screens/user/access.ts'

const NOW = Date.UTC(2030, 0, 1)
const PAST = '2029-12-31T23:59:59.999Z'

function statesOf(status: any) {
  return [null, '2030-01-01T00:00:00.000Z', PAST].map((due) => accessStateOf({ status, access_due_date: due }, NOW))
}

describe('accessStateOf', () => {
  it('depends on the due date of an open access only', () => {
    assert.deepEqual(statesOf('with_access'), ['in_force', 'in_force', 'ended'])
    assert.deepEqual(statesOf('without_access'), ['closed', 'closed', 'closed'])
  })

  it('takes a status that this version of the console does not know as closed', () => {
    assert.deepEqual(statesOf('of a newer service'), ['closed', 'closed', 'closed'])
  })

  it('agrees with the service about which statuses are open', () => {
    for (const status of ACCESS_STATUSES) assert.equal(statesOf(status)[0] === 'in_force', isOpenStatus(status), status)
  })

  it('has a filter that finds the accesses of each status', () => {
    for (const status of ACCESS_STATUSES)
      assert.equal(toQuery({ state: accessStateOf({ status, access_due_date: null }, NOW) }).status, status)
  })
})

it('takes an end within the same second for the same, such as the end of a day that is chosen again', () => {
  assert.equal(isSameEnd('2027-01-31T23:59:59.000Z', '2027-01-31T23:59:59.999Z'), true)
  assert.equal(isSameEnd('2027-01-31T23:59:00.000Z', '2027-01-31T23:59:59.999Z'), false)
  assert.deepEqual([isSameEnd(null, null), isSameEnd(null, PAST), isSameEnd(PAST, null)], [true, false, false])
})
