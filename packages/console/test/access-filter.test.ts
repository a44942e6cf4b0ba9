import './browser-globals.ts'
import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import { parseSearch, stringifySearch } from '../src/address.ts'
import { accessFilter, dueChoiceOf, toBulkFilter, toQuery } from '../src/screens/accesses/filter.ts'

const WEEK_MS = 7 * 86_400_000
const MONDAY = '2031-03-10T12:00:00.000Z'
const NEXT_MONDAY = '2031-03-17T12:00:00.000Z'
const MONDAY_AFTER = '2031-03-24T12:00:00.000Z'

const filterIn = (url: string) => accessFilter(parseSearch(url))

it('names the user in a list and in a bulk change, each as the API wants it', () => {
  const filter = filterIn('?user=42&product=7')
  assert.deepEqual(toQuery(filter), { product_id: '7', user_id: '42' })
  assert.deepEqual(toBulkFilter(filter), { product_id: '7', user_ids: ['42'] })
  assert.deepEqual(filterIn('?user=ada'), {})
})

describe('the filter of the due date', () => {
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: Date.parse(MONDAY) })
  })

  it('means the days from now on, also a week after its link was made', () => {
    const filter = filterIn('?due=7')
    assert.equal(dueChoiceOf(filter), '7')
    assert.deepEqual(toQuery(filter), { due_after: MONDAY, due_before: NEXT_MONDAY })
    mock.timers.tick(WEEK_MS)
    assert.deepEqual(toQuery(filter), { due_after: NEXT_MONDAY, due_before: MONDAY_AFTER })
    assert.deepEqual(toBulkFilter(filter), { due_after: NEXT_MONDAY, due_before: MONDAY_AFTER })
    assert.equal(stringifySearch({ ...filter }), '?due=7')
  })

  it('means the time until now if it is in the past', () => {
    const filter = filterIn('?due=past')
    assert.equal(dueChoiceOf(filter), 'past')
    assert.deepEqual(toQuery(filter), { due_before: MONDAY })
  })

  it('shows the times of a link that has some, and not a choice that is relative to now', () => {
    const links = {
      [`due_after=${MONDAY}&due_before=${NEXT_MONDAY}`]: 'between',
      [`due_before=${NEXT_MONDAY}`]: 'before',
      [`due_after=${MONDAY}`]: 'between',
    }
    for (const [link, choice] of Object.entries(links)) {
      const filter = filterIn(link)
      assert.equal(dueChoiceOf(filter), choice, link)
      assert.deepEqual(toQuery(filter), Object.fromEntries(new URLSearchParams(link)))
    }
  })

  it('selects by the value of a custom field, once there is one', () => {
    assert.deepEqual(toQuery(filterIn('field=team&value=7%20A')), { custom_fields: { team: '7 A' } })
    assert.deepEqual(toBulkFilter(filterIn('field=team&value=7%20A')), { custom_field: { key: 'team', value: '7 A' } })
    assert.deepEqual(filterIn('value=7A'), {})
    assert.deepEqual(toQuery(filterIn('field=team')), {})
  })

  it('ignores what somebody has mistyped', () => {
    for (const link of ['due=8', 'due=', 'due_before=monday']) {
      assert.deepEqual(filterIn(link), {})
      assert.equal(dueChoiceOf(filterIn(link)), 'any')
    }
  })
})
