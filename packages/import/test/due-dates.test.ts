import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayIn, surveyDates } from '../due-dates.ts'

async function* cellsOf(cells: string[]): AsyncGenerator<string> {
  yield* cells
}

describe('The order of day and month in a column', () => {
  const cases: [cells: string[], expected: unknown][] = [
    [
      ['2027-06-30', '', 'none'],
      [false, undefined, undefined],
    ],
    [
      ['03/04/2027', '30/06/2027|none'],
      [true, 'dmy', '03/04/2027'],
    ],
    [
      ['03/04/2027', 'none|6-30-2027 18:00'],
      [true, 'mdy', '03/04/2027'],
    ],
    [
      ['03/03/2027', '03.04.2027'],
      [true, undefined, '03.04.2027'],
    ],
    [['03/03/2027'], [true, undefined, undefined]],
    // Each order is proved, so none is.
    [
      ['30/06/2027', '06/30/2027'],
      [true, undefined, undefined],
    ],
  ]
  for (const [cells, expected] of cases)
    it(`is ${JSON.stringify(expected)} for ${cells.join(', ')}`, async () => {
      const { hasDates, order, example } = await surveyDates(cellsOf(cells))
      assert.deepEqual([hasDates, order, example], expected)
    })

  it('decides which day a text names', () => {
    assert.deepEqual(
      [dayIn('03/04/2027', 'dmy'), dayIn('03/04/2027', 'mdy')],
      [new Date('2027-04-03T00:00:00Z'), new Date('2027-03-04T00:00:00Z')],
    )
    assert.deepEqual([dayIn('31/02/2027', 'dmy'), dayIn('30/06/2027', 'mdy')], [undefined, undefined])
  })
})
