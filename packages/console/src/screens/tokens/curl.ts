import type { Schemas } from '../../api/client.ts'
import type { Words } from '../../words/index.tsx'

/** Returns a curl command that works with the scopes of the token. */
export function curlOf(token: Schemas['IssuedAccessToken'], store: string, words: Words['tokens']) {
  const { origin } = globalThis.location
  const bearer = `-H 'Authorization: Bearer ${token.token}'`
  if (!token.scopes.includes('users:write')) {
    return { label: words.curlRead, text: `curl -sS ${origin}/v1/token \\\n  ${bearer}` }
  }
  const lines = [
    `curl -sS ${origin}/v1/stores/${encodeURIComponent(store)}/users`,
    bearer,
    `-H 'Content-Type: application/json'`,
    `-H 'X-Idempotency-Key: ${crypto.randomUUID()}'`,
    `-d '{"name":"Ada","last_name":"Lovelace","email":"ada@example.com"}'`,
  ]
  return { label: words.curlCreate, text: lines.join(' \\\n  ') }
}
