/**
 * Where webhooks may go: public hosts over https. A name may still resolve to a private address; Workers reach none
 * of their operator's own, so what is kept out here is what a typing error or a probe would name.
 */
import { isPublicAddress } from './addresses.ts'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/
/** Names of one label, and those that are never looked up in the public DNS (RFC 6761, 6762 and 8375, ICANN's `internal`). */
const LOCAL_NAME = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/
/** What the URL parser drops without a word: blanks around the URL, tabs and line breaks anywhere. */
const DROPPED = /^[\p{White_Space}\p{Cc}]|[\p{White_Space}\p{Cc}]$|[\t\n\r]/u

/** Why the service does not send to this URL; undefined where it does. `isLocal`: the receiver may be on this machine. */
export function webhookUrlProblem(text: string, { isLocal }: { isLocal: boolean }): string | undefined {
  if (DROPPED.test(text)) return 'must have no blanks around it, and no line breaks in it'
  const url = URL.parse(text)
  if (url === null) return 'must be a URL'
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  const isLoopback = isLocal && LOOPBACK.test(hostname)
  if (protocol !== 'https:' && !(isLoopback && protocol === 'http:')) return 'must be an https URL'
  if (!isLoopback && !(isPublicAddress(hostname) ?? !LOCAL_NAME.test(hostname))) return 'must name a public host'
  return undefined
}
