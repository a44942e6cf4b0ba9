/** What must be rejected, whatever the operation is: callers who may not send it, and what nobody knows. */
import type { ApiRequest } from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, type Expected, ROOT } from './examiner.ts'
import { callersWith, callerWithAllBut, callerWithOnly } from './keepers.ts'
import { leastRole, type Task, toRequest } from './task.ts'
import { deadSecrets } from './tokens.ts'

interface Rejection {
  why: string
  request: ApiRequest
  expected: Expected
}

const REALM = 'Bearer realm="registrar"'
const invalidToken: Expected = {
  status: 401,
  code: 'invalid_token',
  headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
}
const missingToken: Expected = { status: 401, code: 'missing_token', headers: { 'WWW-Authenticate': REALM } }

/** To an operator who is limited to other stores, the store does not exist. */
const notFound: Expected = { status: 404, code: 'not_found' }
const forbidden: Expected = { status: 403, code: 'insufficient_scope' }

const lacksScope = (scope: string): Expected => ({
  status: 403,
  code: 'insufficient_scope',
  headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
})

/** One of the rejections that the task can get. Undefined if nothing about it is rejected. */
export async function pickRejection(exam: Examiner, task: Task, random: Random): Promise<Rejection | undefined> {
  if (task.mount === 'none') return undefined
  const weak = task.scope !== undefined && random.chance(0.4) ? await callerWithAllBut(exam, task.scope) : undefined
  const caller = random.pick(callersWith(exam, task))
  const prepared = task.prepare(exam, random, caller)
  const request = toRequest(exam, task, caller, prepared)
  if (weak) {
    // A batch of users who have accesses requires two scopes.
    const namesAccesses = JSON.stringify(request.body ?? {}).includes('"product_accesses"')
    return {
      why: 'without the scope',
      request: { ...request, token: weak.secret ?? '' },
      expected: lacksScope(namesAccesses ? `${task.scope} product_accesses:write` : (task.scope ?? '')),
    }
  }
  if (task.operation === 'POST /v1/stores/{store_id}/users/batch' && random.chance(0.5))
    return nestedAccesses(exam, request)
  const all = [
    { why: 'without a token', request: { ...request, headers: { Authorization: 'Bearer' } }, expected: missingToken },
    ...(task.mount === 'admin'
      ? operatorRejections(exam, task, request, prepared.expected.status < 300)
      : tokenRejections(exam, task, request)),
    ...(prepared.expected.status < 300 ? unknownThings(task, request) : []),
  ]
  return random.pick(all)
}

/** Users of a batch that have accesses require a second scope. */
async function nestedAccesses(exam: Examiner, request: ApiRequest): Promise<Rejection> {
  const caller = await callerWithOnly(exam, 'users:write')
  const [product_id = '1'] = exam.model.products.keys()
  const items = [{ name: 'a', last_name: 'b', email: 'nested@example.com', product_accesses: [{ product_id }] }]
  return {
    why: 'without the second scope',
    request: { ...request, token: caller?.secret ?? '', body: { items } },
    expected: { status: 403, code: 'insufficient_scope' },
  }
}

function operatorRejections(exam: Examiner, task: Task, request: ApiRequest, isValid: boolean): Rejection[] {
  const { operation } = task
  const { admin, office, viewer, limited, elsewhere } = exam.operators
  const token = [...exam.model.tokens.values()].find(({ secret }) => secret !== undefined)
  const by = (secret: string | undefined) => ({ ...request, token: secret ?? '' })
  const least = leastRole(task)
  const isOfStore = operation.includes(' /admin/stores/{store_id}')
  const isForAny = /^GET \/admin\/(stores|operator)$/.test(operation)
  return [
    // What is invalid is reported first.
    ...(isOfStore && isValid
      ? [{ why: 'by an operator of another store', request: by(elsewhere.secret), expected: notFound }]
      : []),
    ...(isOfStore || isForAny
      ? []
      : [{ why: 'by an operator of one store', request: by(limited.secret), expected: forbidden }]),
    { why: 'with a token of a store', request: by(token?.secret), expected: invalidToken },
    ...(least === 'viewer' ? [] : [{ why: 'by a viewer', request: by(viewer.secret), expected: lacksScope(least) }]),
    ...(least === 'admin' ? [{ why: 'by office', request: by(office.secret), expected: lacksScope(least) }] : []),
    ...(least === 'root' ? [{ why: 'by an admin', request: by(admin.secret), expected: lacksScope(least) }] : []),
  ]
}

function tokenRejections(exam: Examiner, { mount, operation }: Task, request: ApiRequest): Rejection[] {
  const by = (secret: string | undefined) => ({ ...request, token: secret ?? '' })
  const dead = deadSecrets(exam).slice(-3)
  const isOfStore = mount === 'v1' && operation.includes('{store_id}')
  return [
    ...dead.map(({ secret, why }) => ({
      why: `with a token that is ${why}`,
      request: by(secret),
      expected: invalidToken,
    })),
    { why: 'by an operator', request: by(exam.operators.admin.secret), expected: invalidToken },
    { why: 'by the root', request: by(ROOT.secret), expected: invalidToken },
    ...(isOfStore ? [{ why: 'with a token of another store', request: by(exam.foreign), expected: invalidToken }] : []),
  ]
}

/** A parameter or a field that nobody knows must not be ignored. */
function unknownThings({ acceptsUnknown }: Task, request: ApiRequest): Rejection[] {
  if (acceptsUnknown) return []
  const expected: Expected = { status: 422, code: 'invalid_parameter', fields: ['nobody'] }
  const path = `${request.path}${request.path.includes('?') ? '&' : '?'}nobody=1`
  const { body } = request
  if (!body) return [{ why: 'with an unknown parameter', request: { ...request, path }, expected }]
  return [
    { why: 'with an unknown parameter', request: { ...request, path }, expected },
    { why: 'with an unknown field', request: { ...request, body: { ...body, nobody: 1 } }, expected },
    {
      why: 'as text',
      request: { ...request, headers: { ...request.headers, 'Content-Type': 'text/plain' } },
      expected: { status: 415, code: 'unsupported_media_type' },
    },
  ]
}
