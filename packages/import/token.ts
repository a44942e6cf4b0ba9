import { isObject } from '../../src/lib/json.ts'
import type { Client, ServiceResponse } from './client.ts'
import type { Inspection } from './inspect.ts'
import { Refused } from './request-errors.ts'

/** Sends a request that changes nothing, so that a wrong token or store is reported before anything is sent. */
export async function checkToken(
  { callRoot, call, isStoreToken, store }: Client,
  inspection: Inspection,
): Promise<ServiceResponse> {
  const response = isStoreToken ? await callRoot('GET', '/v1/token') : await call('GET', '')
  if (!isStoreToken) return response
  const { store_id, scopes } = isObject(response.body) ? response.body : {}
  if (store_id !== store) throw new Refused({ code: 'other_store', store: String(store_id), expected: store })
  // After a lost response the import reads users; without the scope it could not know which ones it created.
  const needed = [
    'users:write',
    'users:read',
    ...(inspection.grantsProducts ? ['product_accesses:write'] : []),
    ...(inspection.hasIds ? ['product_accesses:read'] : []),
  ]
  const missing = needed.filter((scope) => !(Array.isArray(scopes) && scopes.includes(scope)))
  if (missing.length === 0) return response
  throw new Refused({ code: 'missing_scopes', scopes: missing })
}
