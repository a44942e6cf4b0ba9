import './browser-globals.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RegistrarError } from 'registrar-client'
import { pollInterval } from '../src/api/bulk-changes.ts'

const failure = (status: number) => new RegistrarError({ status, code: '', message: '' })

describe('a bulk change that is watched', () => {
  it('is read again until it has ended', () => {
    assert.notEqual(pollInterval({ data: undefined, error: null }), false)
    assert.notEqual(pollInterval({ data: { state: 'queued' }, error: null }), false)
    assert.notEqual(pollInterval({ data: { state: 'running' }, error: null }), false)
    assert.equal(pollInterval({ data: { state: 'done' }, error: null }), false)
  })

  it('is not read again after a rejection, which another request would only repeat', () => {
    for (const status of [400, 403, 404]) {
      assert.equal(pollInterval({ data: undefined, error: failure(status) }), false)
      assert.equal(pollInterval({ data: { state: 'running' }, error: failure(status) }), false)
    }
  })

  it('is read again after a failure that passes', () => {
    for (const status of [0, 429, 500, 503]) {
      assert.notEqual(pollInterval({ data: undefined, error: failure(status) }), false)
    }
  })
})
