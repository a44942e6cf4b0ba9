/** What an operator may do after each change of their rights, and the list of stores. */
import * as contract from '../contract.ts'
import type { Row } from '../rows.ts'
import type { Examiner } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { perform } from './perform.ts'

const request = (method: string, path: string, body?: Row): contract.ApiRequest => ({
  method,
  path: `/admin/operators${path}`,
  token: ROOT.secret ?? '',
  ...(body && { body }),
})

/**
 * An operator is changed and then revoked. Each change counts from the next request on, also in a database that has a copy
 * of the operator, and the email is free again.
 */
export async function changeOperator(exam: Examiner, otherStore: string): Promise<void> {
  await exam.pass(1)
  const email = `${exam.slug('office')}@example.com`
  const body = { name: 'simulated', role: 'viewer', email }
  const { json } = await exam.send('operator', request('POST', '', body))
  const { body: _, ...update } = contract.updateWithoutChange(exam.model.slug, String(json['token']))
  // From now on, a database of its own has a copy of the viewer.
  await exam.send('read of a viewer', { ...update, method: 'GET' })
  const changes = [
    { role: 'admin' },
    { name: 'renamed' },
    { role: 'viewer' },
    { role: 'admin', stores: [otherStore] },
    { stores: null },
  ]
  const path = `/${String(json['id'])}`
  for (const change of changes) {
    await exam.send('change of the operator', request('PATCH', path, change))
    await exam.send('request of the operator', { ...update, body: {} })
    await exam.pass(1)
  }
  // An admin may do anything but manage operators.
  await exam.send('revocation by an admin', { ...request('DELETE', path), token: String(json['token']) })
  const again = request('POST', '', { ...body, email: email.toUpperCase() })
  await exam.send('same email', again)
  await exam.send('revocation', request('DELETE', path))
  await exam.send('request after the revocation', { ...update, body: {} })
  await exam.send('email that is free again', again)
}

/** An operator who is limited to some stores reads their list page by page, wherever these live. */
export async function readAsLimitedOperator(exam: Examiner, others: readonly string[]): Promise<void> {
  const stores = [exam.model.slug, ...others].toSorted()
  const { json } = await exam.send('of some stores', request('POST', '', { name: 'Of some', role: 'viewer', stores }))
  for (const after of ['', ...stores]) {
    const path = `/admin/stores?limit=1${after && `&after=${after}`}`
    await exam.send('stores, page by page', { method: 'GET', path, token: String(json['token']) })
  }
}

/** A store with a database of its own reports its changes to the directory within this time. */
const REPORTED_MS = 150_000

/** The list of stores shows whether a store is suspended, wherever it lives. What is so already is no change. */
export async function listSuspended(exam: Examiner): Promise<void> {
  for (const suspended of [true, true, false, false]) {
    await perform(exam, 'suspension', 'PATCH', { path: '', body: { suspended } })
    await exam.pass(REPORTED_MS)
    await exam.send('stores', { method: 'GET', path: '/admin/stores?limit=100', token: ROOT.secret ?? '' })
  }
}
