import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayIn, dueDateOf, surveyDates } from '../due-dates.ts'

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

describe('A due date as people and programs write it', () => {
  const read = (text: string, order?: 'dmy' | 'mdy') => {
    const due = dueDateOf(text, { zone: 'Europe/Madrid', order })
    return 'date' in due && due.date !== null ? new Date(due.date).toISOString() : due
  }
  const END = '2027-03-01T22:59:59.999Z'
  const EVENING = '2027-03-01T17:30:00.000Z'

  const accepted: [text: string, expected: string][] = [
    ['1º de marzo de 2027', END],
    ['1.º de marzo del 2027', END],
    ['1 de março de 2027', END],
    ['01-mar-2027', END],
    ['1.Mar.2027', END],
    ['March 1, 2027', END],
    ['Mar 1st, 2027', END],
    ['1 de mar. de 2027', END],
    ['lunes, 1 de marzo de 2027', END],
    ['segunda-feira, 1 de março de 2027', END],
    ['Mon, 1 March 2027', END],
    ['mar 1 2027', END],
    // Moodle in English, Spanish and Portuguese.
    ['Monday, 1 March 2027, 6:30 PM', EVENING],
    ['lunes, 1 de marzo de 2027, 18:30', EVENING],
    ['segunda-feira, 1 de março de 2027 às 18:30', EVENING],
    ['March 1, 2027 at 6:30 p.m.', EVENING],
    ['2027-03-01 18h30', EVENING],
    ['2027-03-01 18h30min', EVENING],
    ['2027-03-01 18:30 h', EVENING],
    ['2027-03-01 18:30hs.', EVENING],
    ['2027-03-01 6:30 p.\u00a0m.', EVENING],
    ['2027-03-01\u00a018:30', EVENING],
    ['2027-03-01 18:30:00,000', EVENING],
    ['2027-03-01 24:00', END],
    ['2027-03-01 12:00 AM', END],
    ['2027-03-01 18:30 UTC', '2027-03-01T18:30:00.000Z'],
    ['2027-03-01 18:30:00 (GMT)', '2027-03-01T18:30:00.000Z'],
    ['2027-03-01 18:30 UTC-3', '2027-03-01T21:30:00.000Z'],
    ['2027-03-01 18:30 GMT+01:00', EVENING],
    ['March 1, 2027 18:30 UTC', '2027-03-01T18:30:00.000Z'],
    // An offset decides, also over midnight.
    ['2027-03-01 00:00 UTC', '2027-03-01T00:00:00.000Z'],
  ]
  for (const [text, expected] of accepted)
    it(`is read: ${text}`, () => {
      assert.equal(read(text), expected)
    })

  it('may have a weekday or an offset beside numbers whose order is said', () => {
    assert.equal(read('lun. 01/03/2027', 'dmy'), END)
    assert.equal(read('Mon 03/01/2027 18:30', 'mdy'), EVENING)
    assert.equal(read('01/03/2027 18:30 +0100', 'dmy'), EVENING)
    assert.equal(read('01/03/2027, 6:30:00 p. m. UTC', 'dmy'), '2027-03-01T18:30:00.000Z')
    const unclear = read('lun. 01/03/2027 18:30 UTC')
    assert.ok(typeof unclear === 'object' && 'problem' in unclear && unclear.problem === 'unclear_date')
  })

  it('is no time with an offset if it has the beginning and the end of a lesson', () => {
    for (const text of [
      '31/12/2027 08:30-10:00',
      '31/12/2027 18:30 - 20:00',
      '31/12/2027 18:30:00 -20:00',
      '1 de marzo de 2027, 08:30-10:00',
    ]) {
      const due = read(text, 'dmy')
      assert.ok(typeof due === 'object' && 'problem' in due && due.problem === 'zone_date', text)
    }
    assert.equal(read('31/12/2027 08:30 -0300', 'dmy'), '2027-12-31T11:30:00.000Z')
    assert.equal(read('31/12/2027 08:30:00-03:00', 'dmy'), '2027-12-31T11:30:00.000Z')
  })

  it('is never read in the zone of the store if it names another one', () => {
    for (const zone of [
      'CET',
      'WEST',
      'BRT',
      'EST',
      'IST',
      'PM CET',
      '(Madrid)',
      'Europe/Madrid',
      '[Europe/Madrid]',
      'hora local',
    ])
      for (const day of ['2027-03-01 6:30', '1 de marzo de 2027, 6:30']) {
        const due = read(`${day} ${zone}`)
        assert.ok(typeof due === 'object' && 'problem' in due && due.problem === 'zone_date', `${day} ${zone}`)
        assert.match(due.explanation, /write the offset, like 2027-12-31T18:00\+01:00, or Z for UTC/)
      }
  })

  it('is an error if it is no day, or has a year of two digits', () => {
    const problems: Record<string, string> = {
      '31 de febrero de 2027': 'not_date',
      'March 2027': 'not_date',
      '1 de marzo': 'not_date',
      'xyz 1, 2027': 'not_date',
      '2027-03-01 25:00': 'not_date',
      '2027-03-01 24:01': 'not_date',
      '2027-03-01 13:30 p. m.': 'not_date',
      '1-mar-27': 'short_year',
      'Mar 1, 27': 'short_year',
      'lunes 1/3/27': 'short_year',
    }
    for (const [text, problem] of Object.entries(problems)) {
      const due = read(text)
      assert.ok(typeof due === 'object' && 'problem' in due, text)
      assert.equal(due.problem, problem, text)
    }
  })

  it('proves the order of its column with a weekday in front, too', async () => {
    const { order } = await surveyDates(cellsOf(['vie. 30/04/2027 18:00 h']))
    assert.equal(order, 'dmy')
  })
})
