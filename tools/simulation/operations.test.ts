import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { USER_COLUMNS } from './reference/files.ts'
import { OPTIONAL } from './exam/people.ts'
import { TASKS } from './exam/run-task.ts'
import { hasParameter, inputsOf, operationOf, OPERATIONS } from './operations.ts'

describe('OPERATIONS', () => {
  it('has a task for each operation, so that the examiner sends it', () => {
    const tasks = new Set(TASKS.map(({ operation }) => operation))
    assert.deepEqual(
      OPERATIONS.filter((operation) => !tasks.has(operation)),
      [],
    )
  })

  it('sends every field of a user (exam/people.ts), and expects a column for each (reference/files.ts)', () => {
    const sent = ['name', 'last_name', 'email', ...Object.keys(OPTIONAL)]
    const names = inputsOf('POST /v1/stores/{store_id}/users').map(({ name }) => name)
    assert.deepEqual(names.toSorted(), sent.toSorted())
    const shown = sent.filter((name) => name !== 'password' && name !== 'custom_fields')
    assert.deepEqual(USER_COLUMNS.toSorted(), [...shown, 'id', 'created_at', 'role', 'updated_at'].toSorted())
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
