/**
 * Where webhooks may go: public hosts over https. A name may still resolve to a private address; Workers reach none
 * of their operator's own, so what is kept out here is what a typing error or a probe would name.
 */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/
/** Names of one label, and those that are never looked up in the public DNS (RFC 6761, 6762 and 8375, ICANN's `internal`). */
const LOCAL_NAME = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/

/** Why the service does not send to this URL; undefined where it does. `isLocal`: the receiver may be on this machine. */
export function webhookUrlProblem(text: string, { isLocal }: { isLocal: boolean }): string | undefined {
  const url = URL.parse(text)
  if (url === null) return 'must be a URL'
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  const isLoopback = isLocal && LOOPBACK.test(hostname)
  if (protocol !== 'https:' && !(isLoopback && protocol === 'http:')) return 'must be an https URL'
  if (!isLoopback && !isPublic(hostname)) return 'must name a public host'
  return undefined
}

/** The URL parser has already written addresses in their one form: `0x7f.1` is `127.0.0.1` by now. */
function isPublic(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1))
  if (/^\d+(\.\d+){3}$/.test(hostname)) return isPublicIpv4(hostname)
  return !LOCAL_NAME.test(hostname)
}

/** None of IANA's special-purpose blocks that lead into a network of one's own, nor a multicast or reserved one. */
function isPublicIpv4(address: string): boolean {
  const [a = 0, b = 0, c = 0] = address.split('.').map(Number)
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false
  if (a === 100) return b < 64 || b > 127
  if (a === 169) return b !== 254
  if (a === 172) return b < 16 || b > 31
  if (a === 192) return b !== 168 && !(b === 0 && c === 0)
  return !(a === 198 && (b === 18 || b === 19))
}

/** Of 2000::/3, less Teredo and its like (2001::/23) and what holds an IPv4 address (2002::/16). */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16))
  if (first === 0x2001) return second >= 0x200
  return first >= 0x2000 && first <= 0x3fff && first !== 0x2002
}
