import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPTIONAL } from './exam/people.ts'
import { CHANGE, CREATE_V1, REMOVABLE } from './reference/user-fields.ts'
import { TASKS } from './exam/run-task.ts'
import { hasParameter, inputsOf, operationOf, OPERATIONS, type Schema } from './operations.ts'
import type { Rule } from './reference/values.ts'

describe('OPERATIONS', () => {
  it('has a task for each operation, so that the examiner sends it', () => {
    const tasks = new Set(TASKS.map(({ operation }) => operation))
    assert.deepEqual(
      OPERATIONS.filter((operation) => !tasks.has(operation)),
      [],
    )
  })

  it('knows how to send each field of a user that is more than a text (exam/people.ts)', () => {
    const inputs = inputsOf('POST /v1/stores/{store_id}/users')
    const isText = ({ type, minLength, enum: choices, anyOf }: Schema) =>
      [type].flat().includes('string') && !minLength && !choices && !anyOf
    const special = inputs.filter(({ isRequired, schema }) => !isRequired && !isText(schema)).map(({ name }) => name)
    assert.deepEqual(special, ['country', 'language', 'custom_fields', 'password'])
    assert.deepEqual(
      special.filter((name) => !Object.hasOwn(OPTIONAL, name)),
      [],
    )
  })

  it('reads from the document which values a field may have', () => {
    const invalid = (rule: Rule | undefined, value: unknown) => (rule?.(value, 0) ?? ['no rule']).length > 0
    const { phone, language, name, country } = CREATE_V1
    assert.deepEqual(
      [64, 65].map((length) => invalid(phone, '😀'.repeat(length))),
      [false, true],
    )
    assert.deepEqual(
      ['EN', 'FR', null].map((value) => invalid(language, value)),
      [false, true, false],
    )
    assert.deepEqual(
      ['A', ' ', undefined].map((value) => invalid(name, value)),
      [false, true, true],
    )
    assert.deepEqual(
      ['gb', 'XX'].map((value) => invalid(country, value)),
      [false, true],
    )
    assert.deepEqual(
      [undefined, null].map((value) => invalid(CHANGE['language'], value)),
      [false, true],
    )
    assert.deepEqual(
      ['phone', 'custom_fields', 'language', 'name'].map((field) => REMOVABLE.includes(field)),
      [true, true, false, false],
    )
  })

  it('knows which lists can be reversed', () => {
    assert.equal(hasParameter('GET /admin/stores/{store_id}/users', 'order'), true)
    assert.equal(hasParameter('GET /admin/stores/{store_id}/products', 'order'), false)
  })

  it('finds the operation of a request, and none for a path that is not served', () => {
    assert.equal(
      operationOf({ method: 'POST', path: '/v1/stores/red/users/batch' }),
      'POST /v1/stores/{store_id}/users/batch',
    )
    assert.equal(
      operationOf({ method: 'GET', path: '/v1/stores/red/users/7?x=1' }),
      'GET /v1/stores/{store_id}/users/{id}',
    )
    assert.equal(operationOf({ method: 'PUT', path: '/v1/stores/red/users/7' }), undefined)
  })
})
