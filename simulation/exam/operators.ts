/** What an operator may do after each change of their rights, and what one who is limited to some stores sees. */
import * as contract from '../contract.ts'
import type { Row } from '../rows.ts'
import { type Examiner, type Expected, ROOT } from './examiner.ts'

/**
 * An operator is changed and then revoked. Each change counts from the next request on, also in a database that has a copy
 * of the operator, and the email is free again.
 */
export async function changeOperator(exam: Examiner, otherStore: string): Promise<void> {
  await exam.pass(1)
  const email = `${exam.slug('office')}@example.com`
  const create = { method: 'POST', path: '/admin/operators', token: ROOT.secret ?? '' }
  const body = { name: 'simulated', role: 'viewer', email }
  const { json } = await exam.send('operator', { ...create, body }, { status: 201, json: () => body })
  const path = `/admin/operators/${String(json['id'])}`
  const update = contract.updateWithoutChange(exam.model.slug, String(json['token']))
  const steps: [Row, Expected][] = [
    [{ role: 'admin' }, { status: 200 }],
    [{ name: 'renamed' }, { status: 200 }],
    [{ role: 'viewer' }, { status: 403, code: 'insufficient_scope' }],
    [
      { role: 'admin', stores: [otherStore] },
      { status: 404, code: 'not_found' },
    ],
    [{ stores: null }, { status: 200 }],
  ]
  // From now on, a database of its own has a copy of the viewer.
  const { path: store, token } = update
  await exam.send('read of a viewer', { method: 'GET', path: store, token }, { status: 200 })
  for (const [change, expected] of steps) {
    const request = { ...create, method: 'PATCH', path, body: change }
    await exam.send('change of the operator', request, { status: 200, json: () => change })
    await exam.send('request of the operator', update, expected)
    await exam.pass(1)
  }
  // An admin may do anything but manage operators.
  const revocation = contract.revokeOperator(String(json['id']))
  const byAdmin = { ...revocation, token: String(json['token']) }
  await exam.send('revocation by an admin', byAdmin, { status: 403, code: 'insufficient_scope' })
  const again = { ...create, body: { ...body, email: email.toUpperCase() } }
  await exam.send('same email', again, { status: 422, code: 'already_exists', fields: ['email'] })
  await exam.send('revocation', revocation, { status: 204 })
  await exam.send('request after the revocation', update, { status: 401, code: 'invalid_token' })
  await exam.send('email that is free again', again, { status: 201 })
}

/** An operator who is limited to some stores reads their list page by page, wherever these live. */
export async function readAsLimitedOperator(exam: Examiner, others: readonly string[]): Promise<void> {
  const stores = [exam.model.slug, ...others].toSorted()
  const root = { token: ROOT.secret ?? '' }
  const body = { name: 'Of some stores', role: 'viewer', stores }
  const created = await exam.send(
    'of some stores',
    { ...root, method: 'POST', path: '/admin/operators', body },
    { status: 201 },
  )
  for (const [i, id] of stores.entries()) {
    const path = `/admin/stores?limit=1${i === 0 ? '' : `&after=${stores[i - 1]}`}`
    const expected = { data: [{ id }], next: i === stores.length - 1 ? null : id }
    const request = { method: 'GET', path, token: String(created.json['token']) }
    await exam.send('stores, page by page', request, { status: 200, json: () => expected })
  }
}
