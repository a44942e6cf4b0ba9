import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { OPERATIONS } from '../operations.ts'
import type { Row } from '../rows.ts'
import { ROOT } from './callers.ts'
import { readFromList } from './lists.ts'
import type { Call } from './operation.ts'
import { findOperation, Reference } from './reference.ts'
import { emailKey } from './values.ts'

describe('the reference', () => {
  it('imports nothing of the service but limits, or it would change together with a defect', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'))
    const texts = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
    const imported = texts.flatMap((text) => [...text.matchAll(/from '([^']*src\/[^']*)'/g)].map(([, path]) => path))
    assert.ok(imported.length > 0)
    assert.deepEqual(
      imported.filter((path) => !path?.endsWith('/limits.ts')),
      [],
    )
  })

  it('knows who may send each operation of the document', () => {
    for (const operation of OPERATIONS) {
      const [method = '', path = ''] = operation.split(' ')
      assert.ok(findOperation({ method, path }).role)
    }
  })

  it('knows that an email has an at sign, and something before it', () => {
    assert.deepEqual(['a@b.es', 'no.address', '@b.es'].map(emailKey), ['a@b.es', undefined, undefined])
  })

  it('takes over an id that the store draws, unless it was used before', () => {
    const root = { secret: 'root', actor: { type: 'operator', id: null }, role: 'root' as const }
    const reference = new Reference('school', [root])
    const create = (id: string) => {
      const body = { name: 'A', last_name: 'B', email: `${Math.random()}@example.com` }
      const request = { method: 'POST', path: '/admin/stores/school/users', token: 'root', body }
      return reference.handle(request, 0, { json: { id }, etag: `'${id}'`, requestId: null, events: [] })
    }
    assert.equal(create('7')?.body?.['id'], '7')
    assert.equal(create('9')?.body?.['id'], '9')
    assert.equal(create('8')?.body?.['id'], 'an id beyond 9')
  })

  it('accepts a short page of a list with a filter, unless its cursor omits a row', () => {
    const { state, read } = readerOf('/product_accesses?status=with_access')
    for (const id of ['5', '7'])
      state.accesses.set(id, { json: { id, status: 'with_access' }, user: '1', product: '2', etag: '' })
    assert.equal(read({ data: [], next: '4' })?.body?.['next'], '4')
    assert.notEqual(read({ data: [], next: '6' })?.body?.['next'], '6')
    assert.equal(read({ data: [{ id: '5' }], next: '6' })?.body?.['next'], '6')
  })

  it('knows a read of one record without an entry as a row of its list', () => {
    const { state, call } = callOf('/products')
    const product = { id: '5', slug: 'five' }
    state.products.set('3', { id: '3', slug: 'three' })
    state.products.set('5', product)
    const read = readFromList('GET /products/{id}')
    assert.deepEqual([read?.scope, read?.role], ['products:read', 'viewer'])
    assert.deepEqual(read?.perform(state, { ...call, id: '5' }), { status: 200, body: product })
    assert.equal(read?.perform(state, { ...call, id: '4' }).status, 404)
    for (const name of ['GET /tokens/{id}', 'PATCH /products/{id}', 'GET /products/{id}/events'])
      assert.equal(readFromList(name), undefined)
  })

  it('takes over what the service writes into the feed by itself, and nothing else', () => {
    const { state, read } = readerOf('/events')
    const event = (id: string, type: string) => ({ id, type, data: { user_id: '1' } })
    read({ data: [event('1', 'product_access.expired'), event('2', 'user.erased')], next: null })
    assert.deepEqual(state.feed, [event('1', 'product_access.expired')])
  })
})

function callOf(path: string) {
  const request = { method: 'GET', path: `/admin/stores/school${path}`, token: ROOT.secret ?? '' }
  const drawn = { json: {}, etag: '', requestId: null, events: [] }
  const call: Call = { request, caller: ROOT, version: 'admin', now: 0, drawn, id: '', body: {}, query: {} }
  return { state: new Reference('school', [ROOT]).state, call }
}

function readerOf(path: string) {
  const reference = new Reference('school', [ROOT])
  const request = { method: 'GET', path: `/admin/stores/school${path}`, token: ROOT.secret ?? '' }
  const read = (json: Row) => reference.handle(request, 0, { json, etag: '', requestId: null, events: [] })
  return { state: reference.state, read }
}
