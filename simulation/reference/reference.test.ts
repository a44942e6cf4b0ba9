import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { OPERATIONS } from '../operations.ts'
import { findOperation, Reference } from './reference.ts'
import { emailKey } from './values.ts'

describe('the reference', () => {
  it('imports nothing of the service but limits, or it would change together with a defect', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'))
    const texts = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
    const imported = texts.flatMap((text) => [...text.matchAll(/from '([^']*src\/[^']*)'/g)].map(([, path]) => path))
    assert.deepEqual([...new Set(imported)], ['../../src/limits.ts'])
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
      return reference.handle(request, 0, { json: { id }, etag: `"${id}"`, requestId: null, events: [] })
    }
    assert.equal(create('7')?.body?.['id'], '7')
    assert.equal(create('9')?.body?.['id'], '9')
    assert.equal(create('8')?.body?.['id'], 'an id beyond 9')
  })
})
