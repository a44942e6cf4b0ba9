/** A task of the examiner: how to send one operation once. */
import type { ApiRequest } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Caller, Operation } from '../reference/operation.ts'
import { findOperation } from '../reference/reference.ts'
import { type Examiner, type Prepared, requestOf } from './examiner.ts'

type Prepare = (exam: Examiner, random: Random, caller: Caller) => Prepared

export interface Task {
  /** As in operations.ts. */
  operation: string
  mount: 'v1' | 'v3' | 'admin' | 'none'
  /** As the reference knows it. */
  known: Operation
  prepare: Prepare
}

export function taskOf(operation: string, prepare: Prepare): Task {
  const [method = '', path = ''] = operation.split(' ')
  const mount = (['v1', 'v3', 'admin'] as const).find((each) => path.startsWith(`/${each}/`)) ?? 'none'
  return { operation, mount, known: findOperation({ method, path }), prepare }
}

/** An operation of a store: for tokens, and for operators. */
export function ofStore(name: string, prepare: Prepare): Task[] {
  const [method = '', path = ''] = name.split(' ')
  return [taskOf(`${method} /v1/stores/{store_id}${path}`, prepare), ofOperators(name, prepare)]
}

/** An operation on a store that only operators have. */
export function ofOperators(name: string, prepare: Prepare): Task {
  const [method = '', path = ''] = name.split(' ')
  return taskOf(`${method} /admin/stores/{store_id}${path}`, prepare)
}

/** No record has this id. */
export const NO_ID = '4000000000'

/** The request of a prepared task. A path that begins with a version is complete. */
export function toRequest(exam: Examiner, task: Task, caller: Caller, { path, body, headers }: Prepared): ApiRequest {
  const [method = ''] = task.operation.split(' ')
  const isComplete = /^\/(v1|v3|admin|health)\b/.test(path)
  const request = isComplete
    ? { method, path, token: caller.secret ?? '' }
    : requestOf(caller, method, exam.model.slug, path)
  return { ...request, ...(body && { body }), ...(headers && { headers }) }
}
