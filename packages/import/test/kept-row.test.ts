import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepRow, rowOf } from '../kept-row.ts'
import { parseLossless } from '../../../src/lib/json.ts'

it('a failed row is kept without its password, also in a row that is too long', () => {
  const header = ['name', 'Clave']
  const rename = { Clave: 'password' }
  const row = { line: 2, cells: ['A', 'secret'], values: new Set([0]) }
  assert.deepEqual(rowOf(keepRow(row, header, rename)), { line: 2, cells: ['A', ''], values: new Set([0]) })
  const problem = { code: 'width' as const, column: '', explanation: 'too long' }
  const long = keepRow({ line: 2, cells: ['A', 'B', 'secret'], problem }, header, rename)
  assert.equal(JSON.stringify(long).includes('secret'), false)
})

it('a failed row of NDJSON is kept without its password, and with the digits of its numbers', () => {
  const object = parseLossless('{"name":"A","password":"secret","custom_fields":{"n":1.50}}')
  const kept = structuredClone(keepRow({ line: 2, object: Object(object) }, [], {}))
  assert.equal(JSON.stringify(kept).includes('secret'), false)
  assert.equal(JSON.stringify(rowOf(kept)), '{"line":2,"object":{"name":"A","custom_fields":{"n":1.50}}}')
})
