import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { jsonCell } from '../../src/wire/csv.ts'
import { columnsOf } from '../columns.ts'
import { SeenAddresses } from '../fingerprint.ts'
import { FileError } from '../source.ts'

/** The item that a row of these cells makes. */
function itemOf(cells: Record<string, string>): unknown {
  const all = { name: 'A', last_name: 'B', email: 'a@example.com', ...cells }
  const opened = { format: 'csv' as const, delimiter: ',', hasBom: false, header: Object.keys(all), rows: none() }
  const made = columnsOf(opened).toItem({ line: 2, cells: Object.values(all) })
  return 'item' in made ? JSON.parse(JSON.stringify(made.item)) : made.reasons
}

async function* none(): AsyncGenerator<never> {}

describe('the columns of custom fields', () => {
  it('read back every value as the export writes it', () => {
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
        const expected = { name: 'A', last_name: 'B', email: 'a@example.com', custom_fields: { x: value } }
        assert.deepEqual(itemOf({ 'custom_fields.x': jsonCell(value) }), JSON.parse(JSON.stringify(expected)))
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
    const made = columnsOf(opened).toItem({ line: 2, cells: ['A', 'B', 'c', '12345678901234567890.10'] })
    assert.match(JSON.stringify(made), /"x":12345678901234567890\.10/)
  })

  it('go over the column that holds the others, whatever a key is called', () => {
    const item = itemOf({ 'custom_fields.__proto__': 'p', 'custom_fields.a': '1', custom_fields: '{"a":2,"b":3}' })
    assert.equal(
      JSON.stringify(item),
      '{"name":"A","last_name":"B","email":"a@example.com","custom_fields":{"a":1,"b":3,"__proto__":"p"}}',
    )
  })

  it('leave it to the service to refuse what is no object', () => {
    assert.match(JSON.stringify(itemOf({ custom_fields: 'text' })), /"custom_fields":"text"/)
  })
})

describe('the columns of products', () => {
  it('are refused where they say something about no product', () => {
    const reasons = [{ column: 'product_status', explanation: 'has a value, and there is no product' }]
    assert.deepEqual(itemOf({ product: ' ', product_status: 'with_access' }), reasons)
  })
})

describe('the addresses that a dry run has seen', () => {
  it('are told apart, a hundred thousand of them', () => {
    const seen = new SeenAddresses()
    for (const isFirst of [true, false])
      for (let i = 0; i < 100_000; i++) assert.equal(seen.add(`user${i}@example.com`), isFirst)
  })
})

describe('columns that are given another name', () => {
  it('make custom fields of the fields of an object, over those that it has', () => {
    const columns = columnsOf({ format: 'ndjson', header: [] }, { Radio: 'custom_fields.radio', Notes: '' })
    const object = { name: 'Ada', Radio: 'BBC', Notes: 'x', custom_fields: { radio: 'WKCR', a: 1 } }
    const expected = { item: { name: 'Ada', custom_fields: { radio: 'BBC', a: 1 } } }
    assert.deepEqual(columns.toItem({ line: 1, object }), expected)
    const error = { details: [{ field: 'custom_fields.radio', explanation: 'is not defined' }] }
    assert.deepEqual(columns.toReasons(error, { line: 1, object }), [
      { column: 'Radio', explanation: 'is not defined' },
    ])
  })

  it('may be left out, one without a name too', () => {
    const header = ['name', 'last_name', 'email', '']
    assert.throws(() => columnsOf({ format: 'csv', header }), FileError)
    const columns = columnsOf({ format: 'csv', header }, { '': '' })
    const item = { name: 'Ada', last_name: 'Byron', email: 'ada@example.com' }
    assert.deepEqual(columns.toItem({ line: 2, cells: [...Object.values(item), 'x'] }), { item })
  })
})
