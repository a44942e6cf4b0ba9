/** The tokens that the examiner uses itself, and who may send a task. */
import * as contract from '../contract.ts'
import { type Caller, type Examiner, requestOf, ROOT } from './examiner.ts'
import { createToken, liveCallers } from './tokens.ts'
import { leastRole, type Task } from './task.ts'

const KEEPERS = 2

/** Creates tokens with every scope if there are none, at first and after all were revoked. */
export function ensureTokens(exam: Examiner): Promise<void> {
  return ensure(exam, 'keeper', contract.SCOPES, KEEPERS)
}

/** Tokens with every scope. */
export const keepersOf = (exam: Examiner): Caller[] => callersNamed(exam, 'keeper')

/** A token that has only this scope. */
export async function callerWithOnly(exam: Examiner, scope: string): Promise<Caller | undefined> {
  await ensure(exam, `only ${scope}`, [scope])
  return callersNamed(exam, `only ${scope}`).at(-1)
}

/** A token that has every scope but this one. */
export async function callerWithAllBut(exam: Examiner, scope: string): Promise<Caller | undefined> {
  const others = contract.SCOPES.filter((each) => each !== scope)
  await ensure(exam, `all but ${scope}`, others)
  return callersNamed(exam, `all but ${scope}`).at(-1)
}

function callersNamed(exam: Examiner, name: string): Caller[] {
  return liveCallers(exam).filter(({ token }) => token?.json['name'] === name)
}

async function ensure(exam: Examiner, name: string, scopes: readonly string[], count = 1): Promise<void> {
  const current = new Set(callersNamed(exam, name).map(({ token }) => token?.id))
  for (let i = current.size; i < count; i++) {
    const { path, body, expected, apply } = createToken(exam, { name, scopes })
    const request = { ...requestOf(ROOT, 'POST', exam.model.slug, path), ...(body && { body }) }
    const exchange = await exam.send('a token', request, expected)
    exam.noteEvents(exchange, ROOT, expected)
    exam.store.tokenPrefix = /^rgs_\d+_/.exec(String(exchange.json['token']))?.[0] ?? ''
    apply?.({ id: String(exchange.json['id']), etag: '', json: exchange.json, at: Math.floor(exchange.start) })
  }
}

/** All who may send the task: operators, or tokens with the scope. */
export function callersWith(exam: Examiner, task: Task): Caller[] {
  const { mount, scope, operation } = task
  if (mount === 'admin') {
    const { admin, office, viewer, limited } = exam.operators
    const isOfStore = operation.includes(' /admin/stores/{store_id}')
    const admins = isOfStore ? [ROOT, admin, limited] : [ROOT, admin]
    return { root: [ROOT], admin: admins, office: [...admins, office], viewer: [...admins, office, viewer] }[
      leastRole(task)
    ]
  }
  if (mount === 'none') return [ROOT]
  return liveCallers(exam).filter(({ token }) => token && hasScope(token.scopes, scope))
}

const hasScope = (scopes: readonly string[], scope: string | undefined) => scope === undefined || scopes.includes(scope)
