import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changed } from '../src/forms/changed.ts'

it('returns only the fields that differ, and a field that was cleared', () => {
  const before = { id: '1', name: 'Grace', role: 'admin', email: 'grace@example.com', stores: ['luna'] }
  const after = { name: 'Grace Hopper', role: 'admin', email: null, stores: before.stores }
  assert.deepEqual(changed<object>(before, after), { name: 'Grace Hopper', email: null })
})
