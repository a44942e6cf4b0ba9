/** A task of the examiner: how to send one operation once, and what must come of it. */
import type { ApiRequest } from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Caller, type Examiner, type Prepared, requestOf } from './examiner.ts'

export type Prepare = (exam: Examiner, random: Random, caller: Caller) => Prepared

export interface Task {
  /** As in operations.ts. */
  operation: string
  mount: 'v1' | 'v3' | 'admin' | 'none'
  /** What the token of an integrator needs. */
  scope?: string | undefined
  isRootOnly?: boolean
  /** True if operators with the role `office` may call it. */
  isForOffice?: boolean
  /** The operations of the specification accept fields and parameters that nobody knows. */
  acceptsUnknown?: boolean
  prepare: Prepare
}

const OFFICE_SCOPES = new Set(['users:write', 'product_accesses:write'])

/** The least role that may call the operation. */
export function leastRole({ operation, isRootOnly, isForOffice }: Task): 'viewer' | 'office' | 'admin' | 'root' {
  if (operation.startsWith('GET')) return 'viewer'
  if (isForOffice) return 'office'
  return isRootOnly ? 'root' : 'admin'
}

type Options = Pick<Task, 'isRootOnly' | 'acceptsUnknown'>

/** An operation of a store: for tokens with the scope, and for operators. */
export function ofStore(name: string, scope: string, prepare: Prepare, options: Options = {}): Task[] {
  const [method = '', path = ''] = name.split(' ')
  const isForOffice = OFFICE_SCOPES.has(scope)
  return [
    { operation: `${method} /v1/stores/{store_id}${path}`, mount: 'v1', scope, prepare, ...options },
    { operation: `${method} /admin/stores/{store_id}${path}`, mount: 'admin', isForOffice, prepare, ...options },
  ]
}

/** An operation on a store that only operators have. */
export function ofOperators(name: string, prepare: Prepare): Task {
  const [method = '', path = ''] = name.split(' ')
  return { operation: `${method} /admin/stores/{store_id}${path}`, mount: 'admin', prepare }
}

/** No record has this id. */
export const NO_ID = '4000000000'

export const notFound = { status: 404 } as const

/** The request of a prepared task. A path that begins with a version is complete. */
export function toRequest(exam: Examiner, task: Task, caller: Caller, { path, body, headers }: Prepared): ApiRequest {
  const [method = ''] = task.operation.split(' ')
  const isComplete = /^\/(v1|v3|admin|health)\b/.test(path)
  const request = isComplete
    ? { method, path, token: caller.secret ?? '' }
    : requestOf(caller, method, exam.model.slug, path)
  return { ...request, ...(body && { body }), ...(headers && { headers }) }
}
