/** The tokens that the examiner uses itself, and who may send a task. */
import * as contract from '../contract.ts'
import { isForLimited, liveCallers, mayCall, ROOT } from '../reference/callers.ts'
import type { Caller } from '../reference/operation.ts'
import type { Examiner } from './examiner.ts'
import { perform } from './perform.ts'
import type { Task } from './task.ts'

const KEEPERS = 2

/** Creates tokens with every scope if there are none, at first and after all were revoked. */
export function ensureTokens(exam: Examiner): Promise<void> {
  return ensure(exam, 'keeper', contract.SCOPES, KEEPERS)
}

/** Tokens with every scope. */
export const keepersOf = (exam: Examiner): Caller[] => callersNamed(exam, 'keeper')

/** A token that has only this scope, or every scope but this one. */
export async function callerWith(exam: Examiner, kind: 'only' | 'all but', scope: string): Promise<Caller | undefined> {
  const scopes = contract.SCOPES.filter((each) => (each === scope) === (kind === 'only'))
  await ensure(exam, `${kind} ${scope}`, scopes)
  return callersNamed(exam, `${kind} ${scope}`).at(-1)
}

function callersNamed(exam: Examiner, name: string): Caller[] {
  return liveCallers(exam.model, exam.now).filter(({ token }) => token?.json['name'] === name)
}

async function ensure(exam: Examiner, name: string, scopes: readonly string[], count = 1): Promise<void> {
  const current = new Set(callersNamed(exam, name).map(({ token }) => token?.id))
  for (let i = current.size; i < count; i++)
    await perform(exam, 'a token', 'POST', { path: '/tokens', body: { name, scopes } })
}

/** All who may send the task: operators, or tokens with the scope. */
export function callersWith(exam: Examiner, { mount, known, operation }: Task): Caller[] {
  if (mount === 'none') return [ROOT]
  const { admin, office, viewer, limited } = exam.operators
  const operators = [ROOT, admin, office, viewer, ...(isForLimited(operation) ? [limited] : [])]
  const callers = mount === 'admin' ? operators : liveCallers(exam.model, exam.now)
  return callers.filter((caller) => mayCall(known, caller))
}

/** Every secret that a token had and that must be rejected now. */
export function deadSecrets({ model, now }: Examiner): string[] {
  const live = new Set(liveCallers(model, now).map(({ secret }) => secret))
  const tokens = [...model.tokens.values()]
  const all = [...tokens, ...tokens.flatMap(({ older }) => older)].flatMap(({ secret }) => secret ?? [])
  return all.filter((secret) => !live.has(secret))
}
