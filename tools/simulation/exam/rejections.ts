/** What must be rejected, whatever the operation is: callers who may not send it, and what nobody knows. */
import type { ApiRequest } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { callersWith, callerWith, deadSecrets } from './keepers.ts'
import { type Task, toRequest } from './task.ts'

interface Rejection {
  why: string
  request: ApiRequest
}

/** One of the rejections that the task can get. Undefined if nothing about it is rejected. */
export async function pickRejection(exam: Examiner, task: Task, random: Random): Promise<Rejection | undefined> {
  if (task.mount === 'none') return undefined
  const { scope } = task.known
  const weak = scope !== undefined && task.mount !== 'admin' && random.chance(0.4)
  const other = weak ? await callerWith(exam, 'all but', scope) : undefined
  const caller = random.pick(callersWith(exam, task))
  const request = toRequest(exam, task, caller, task.prepare(exam, random, caller))
  if (other) return { why: 'without the scope', request: { ...request, token: other.secret ?? '' } }
  if (task.operation === 'POST /v1/stores/{store_id}/users/batch' && random.chance(0.5))
    return nestedAccesses(exam, request)
  return random.pick([
    { why: 'without a token', request: { ...request, headers: { Authorization: 'Bearer' } } },
    ...others(exam, task).map((secret) => ({ why: `by ${secret}`, request: { ...request, token: secret } })),
    ...unknownThings(request),
  ])
}

/** Users of a batch that have accesses require a second scope. */
async function nestedAccesses(exam: Examiner, request: ApiRequest): Promise<Rejection> {
  const caller = await callerWith(exam, 'only', 'users:write')
  const [product_id = '1'] = exam.model.products.keys()
  const items = [{ name: 'a', last_name: 'b', email: 'nested@example.com', product_accesses: [{ product_id }] }]
  return { why: 'without the second scope', request: { ...request, token: caller?.secret ?? '', body: { items } } }
}

/** Secrets of others, most of whom may not send the task. */
function others(exam: Examiner, { mount, operation }: Task): string[] {
  const { admin, office, viewer, limited, elsewhere } = exam.operators
  const secrets = ({ secret = '' }: { secret: string | undefined }) => secret
  const token = [...exam.model.tokens.values()].find(({ secret }) => secret !== undefined)
  if (mount === 'admin') return [admin, office, viewer, limited, elsewhere, ...(token ? [token] : [])].map(secrets)
  const foreign = operation.includes('{store_id}') ? [exam.foreign] : []
  return [...deadSecrets(exam).slice(-3), secrets(admin), secrets(ROOT), ...foreign]
}

/** A parameter or a field that nobody knows, and a body of another type. */
function unknownThings(request: ApiRequest): Rejection[] {
  const { body } = request
  const path = `${request.path}${request.path.includes('?') ? '&' : '?'}nobody=1`
  const parameter = { why: 'with an unknown parameter', request: { ...request, path } }
  if (!body) return [parameter]
  const headers = { ...request.headers, 'Content-Type': 'text/plain' }
  return [
    parameter,
    { why: 'with an unknown field', request: { ...request, body: { ...body, nobody: 1 } } },
    { why: 'as text', request: { ...request, headers } },
  ]
}
