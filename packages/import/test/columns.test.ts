import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ACCESS_STATUSES } from '../../../src/db/schema/access-status.ts'
import { jsonCell } from '../../../src/modules/csv-files/csv.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { valueAt } from '../../../src/lib/json.ts'
import { cleanText } from '../clean-text.ts'
import { columnsOf } from '../columns.ts'
import { PRODUCTS, TEXTS } from '../fields.ts'
import { isSameValue } from '../same-value.ts'
import { SeenEmails } from '../fingerprint.ts'
import { FileError } from '../file-error.ts'

/** Returns the item of a row with these cells, or the reasons why it has none. */
function itemOf(cells: Record<string, string>): unknown {
  const empty = Object.fromEntries(USER_COLUMNS.map((name): [string, string] => [name, '']))
  const all = { ...empty, name: 'A', last_name: 'B', email: 'a@example.com', ...cells }
  const opened = { format: 'csv' as const, delimiter: ',', hasBom: false, header: Object.keys(all), rows: none() }
  const result = columnsOf(opened).toItem({ line: 2, cells: Object.values(all) })
  return result.reasons.length > 0 ? result.reasons : JSON.parse(JSON.stringify(result.item))
}

async function* none(): AsyncGenerator<never> {}

describe('Columns of custom fields', () => {
  it('restore every value that the export writes', () => {
    const jsonLike = fc.constantFrom('7', ' 1e5 ', 'null', 'true', '"x"', '[1]', '{}', '-', '007', 'NaN', "'=1")
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      jsonLike,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    )
    fc.assert(
      fc.property(value, (value) => {
        const item = itemOf({ 'custom_fields.x': jsonCell(value) })
        const read = new Map(Object.entries(Object(valueAt(item, ['custom_fields'])))).get('x')
        // What reading takes off counts as no change, and an empty cell as an omitted field.
        const isNothing = typeof value === 'string' && cleanText('custom_fields.x', value) === ''
        assert.ok(
          isSameValue('text', 'custom_fields.x', { stored: value, value: read }) || isNothing,
          JSON.stringify(item),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('keep the digits of numbers', () => {
    const opened = {
      format: 'csv' as const,
      delimiter: ',',
      hasBom: false,
      header: ['name', 'last_name', 'email', 'custom_fields.x'],
      rows: none(),
    }
    const result = columnsOf(opened).toItem({ line: 2, cells: ['A', 'B', 'c', '12345678901234567890.10'] })
    assert.match(JSON.stringify(result), /"x":12345678901234567890\.10/)
  })

  it('override the column custom_fields, even with the key __proto__', () => {
    const item = itemOf({ 'custom_fields.__proto__': 'p', 'custom_fields.a': '1', custom_fields: '{"a":2,"b":3}' })
    assert.equal(
      JSON.stringify(item),
      '{"name":"A","last_name":"B","email":"a@example.com","custom_fields":{"a":1,"b":3,"__proto__":"p"}}',
    )
  })

  it('send a value of custom_fields that is not an object, so that the service rejects it', () => {
    assert.match(JSON.stringify(itemOf({ custom_fields: 'text' })), /"custom_fields":"text"/)
  })
})

describe('Columns of products', () => {
  it('are an error when the row has no product', () => {
    const reasons = [
      {
        column: 'product_status',
        code: 'no_product',
        field: 'product_status',
        explanation: 'has a value, but the row has no product',
      },
    ]
    assert.deepEqual(itemOf({ product: ' ', product_status: 'with_access' }), reasons)
  })
})

describe('The emails that a dry run has seen', () => {
  it('are distinguished, even a hundred thousand of them', () => {
    const seen = new SeenEmails()
    for (let i = 0; i < 100_000; i++) {
      assert.equal(seen.find(`user${i}@example.com`), undefined)
      seen.add(`user${i}@example.com`, i)
    }
    for (let i = 0; i < 100_000; i++) assert.equal(seen.find(`user${i}@example.com`), i)
    const few = new SeenEmails(1)
    for (const email of ['a', 'b']) few.add(email, 7)
    assert.deepEqual([few.find('a'), few.find('b')], [7, undefined])
  })
})

describe('Renamed columns', () => {
  it('turn fields of an NDJSON object into custom fields, which override existing ones', () => {
    const columns = columnsOf({ format: 'ndjson', header: [] }, { rename: { Radio: 'custom_fields.radio', Notes: '' } })
    const object = { name: 'Ada', Radio: 'BBC', Notes: 'x', custom_fields: { radio: 'WKCR', a: 1 } }
    const expected = { item: { name: 'Ada', custom_fields: { radio: 'BBC', a: 1 } }, reasons: [] }
    assert.deepEqual(columns.toItem({ line: 1, object }), expected)
    const error = {
      code: 'invalid_parameter',
      details: [{ field: 'custom_fields.radio', explanation: 'is not defined' }],
    }
    assert.deepEqual(columns.toReasons(error, object), [
      { column: 'Radio', explanation: 'is not defined', code: 'invalid_parameter', field: 'custom_fields.radio' },
    ])
  })

  it('are ignored when they are renamed to nothing, even a column without a name', () => {
    const header = ['name', 'last_name', 'email', '']
    assert.throws(() => columnsOf({ format: 'csv', header }), FileError)
    const columns = columnsOf({ format: 'csv', header }, { rename: { '': '' } })
    const item = { name: 'Ada', last_name: 'Byron', email: 'ada@example.com' }
    assert.deepEqual(columns.toItem({ line: 2, cells: [...Object.values(item), 'x'] }), { item, reasons: [] })
  })
})

it('docs/import.md describes every column, and every status of an access', () => {
  const page = readFileSync('docs/import.md', 'utf8')
  const table = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n')
  const missing = [...TEXTS, ...PRODUCTS, ...ACCESS_STATUSES].filter((field) => !table.includes(`\`${field}\``))
  assert.deepEqual(missing, [])
})
