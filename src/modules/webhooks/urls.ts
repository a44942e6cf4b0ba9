/**
 * Webhooks go to public hosts over https. A name may still resolve to a private address, but a Worker cannot reach its
 * operator's private network. So these rules only have to stop typing errors and attempts to probe.
 */
import { DROPPED_BY_PARSER } from '../../formats/patterns.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { isPublicAddress } from './addresses.ts'

/** Names with one label, and those that do not exist in the public DNS (RFC 6761, 6762 and 8375, ICANN's `internal`). */
const LOCAL_NAME = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/
export type UrlProblem = 'blanks' | 'no_url' | 'credentials' | 'not_https' | 'not_public'

/** Why the service does not send to this URL; undefined if it does. If `isLocal`, the receiver may be on this machine. */
export function findUrlProblem(text: string, { isLocal }: { isLocal: boolean }): UrlProblem | undefined {
  if (DROPPED_BY_PARSER.test(text)) return 'blanks'
  const url = URL.parse(text)
  if (url === null) return 'no_url'
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return 'credentials'
  const isHere = isLocal && isLoopback(hostname)
  if (protocol !== 'https:' && !(isHere && protocol === 'http:')) return 'not_https'
  if (!isHere && !(isPublicAddress(hostname) ?? !LOCAL_NAME.test(hostname))) return 'not_public'
  return undefined
}
