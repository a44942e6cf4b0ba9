import { isObject } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import { Refused } from './request-errors.ts'

export interface UndoNeeds {
  /** The import has created somebody. */
  hasCreated: boolean
  /** It has changed or granted accesses. */
  hasAccesses: boolean
}

const ERASERS = new Set<unknown>(['root', 'admin'])

/**
 * Returns whether the token may erase people. Sends requests that change nothing, so that a wrong token is reported before
 * anything is changed. Throws Refused.
 */
export async function checkUndoToken(
  { call, callRoot, isStoreToken, store }: Client,
  needs: UndoNeeds,
): Promise<boolean> {
  if (!isStoreToken) {
    await call('GET', '')
    const { body } = await callRoot('GET', '/admin/operator')
    const role = isObject(body) ? body['role'] : undefined
    if (role === 'viewer') throw new Refused({ code: 'missing_scopes', scopes: ['users:write'] })
    return ERASERS.has(role)
  }
  const { body } = await callRoot('GET', '/v1/token')
  const { store_id, scopes } = isObject(body) ? body : {}
  if (store_id !== store) throw new Refused({ code: 'other_store', store: String(store_id), expected: store })
  const has = (scope: string): boolean => Array.isArray(scopes) && scopes.includes(scope)
  const needed = [
    'users:read',
    'users:write',
    // Whether something has happened to those who were created shows in their accesses, too.
    ...(needs.hasCreated || needs.hasAccesses ? ['product_accesses:read'] : []),
    ...(needs.hasAccesses ? ['product_accesses:write'] : []),
  ]
  const missing = needed.filter((scope) => !has(scope))
  if (missing.length > 0) throw new Refused({ code: 'missing_scopes', scopes: missing })
  return has('users:erase')
}
