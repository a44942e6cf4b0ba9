import { isObject } from '../src/json.ts'
import { type Answer, type Client, Refused } from './client.ts'
import type { Inspection } from './inspect.ts'

/** One call that changes nothing, before the first that does: a wrong token or store is told at once. */
export async function checkToken(
  { callRoot, call, isStoreToken, store }: Client,
  inspection: Inspection,
): Promise<Answer> {
  const answer = isStoreToken ? await callRoot('GET', '/v1/token') : await call('GET', '')
  if (answer.status !== 200 || !isObject(answer.body)) throw new Refused(answer)
  if (!isStoreToken) return answer
  const { store_id, scopes } = answer.body
  if (store_id !== store) throw new Refused(`The token is of the store "${String(store_id)}", not of "${store}".`)
  // To read is needed after a lost answer: without it nobody could say whom this run has created.
  const needed = ['users:write', 'users:read', ...(inspection.grantsProducts ? ['product_accesses:write'] : [])]
  const missing = needed.filter((scope) => !(Array.isArray(scopes) && scopes.includes(scope)))
  if (missing.length === 0) return answer
  throw new Refused(`The token lacks the ${missing.length > 1 ? 'scopes' : 'scope'} ${missing.join(', ')}.`)
}
