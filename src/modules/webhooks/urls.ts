/**
 * Webhooks go to public hosts over https. A name may still resolve to a private address, but a Worker cannot reach its
 * operator's private network. So these rules only have to stop typing errors and attempts to probe.
 */
import { DROPPED_BY_PARSER } from '../../formats/patterns.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { lazy } from '../../lib/lazy.ts'

/**
 * Names with one label or an empty one, and those that do not exist in the public DNS (RFC 6761, 6762 and 8375, ICANN's
 * `internal`).
 */
const LOCAL_NAME = /\.\.|^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/
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

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8', // RFC 1122: this network
  '10.0.0.0/8', // RFC 1918: private use
  '100.64.0.0/10', // RFC 6598: shared by the customers of a carrier
  '127.0.0.0/8', // RFC 1122: loopback
  '169.254.0.0/16', // RFC 3927: link-local, and the metadata services of clouds
  '172.16.0.0/12', // RFC 1918: private use
  '192.0.0.0/24', // RFC 6890: protocol assignments
  '192.0.2.0/24', // RFC 5737: documentation
  '192.88.99.0/24', // RFC 7526: 6to4 relays, no longer in use
  '192.168.0.0/16', // RFC 1918: private use
  '198.18.0.0/15', // RFC 2544: benchmarks
  '198.51.100.0/24', // RFC 5737: documentation
  '203.0.113.0/24', // RFC 5737: documentation
  '224.0.0.0/4', // RFC 1112: multicast
  '240.0.0.0/4', // RFC 1112: reserved, and RFC 8190: broadcast
]

/** https://www.iana.org/assignments/iana-ipv6-special-registry. Only 2000::/3 is assigned (RFC 4291). */
const NOT_PUBLIC_V6 = [
  '::/3', // RFC 4291, 6052, 8215, 6666: unspecified, loopback, IPv4-mapped, NAT64, discard-only
  '2001::/23', // RFC 2928: protocol assignments, such as Teredo (RFC 4380) and benchmarks (RFC 5180)
  '2001:db8::/32', // RFC 3849: documentation
  '2002::/16', // RFC 3056: 6to4, which holds an IPv4 address
  '3fff::/20', // RFC 9637: documentation
  '4000::/2', // RFC 4291: not assigned, and RFC 9602: segment routing
  '8000::/1', // RFC 4193, 4291, 3879: unique local, link-local, site-local, multicast, or not assigned
]

const V4_BITS = 32n
const V6_BITS = 128n

const rangesV4 = lazy(() => NOT_PUBLIC_V4.map((range) => parseRange(range, parseV4, V4_BITS)))
const rangesV6 = lazy(() => NOT_PUBLIC_V6.map((range) => parseRange(range, parseV6, V6_BITS)))

/**
 * True if the host of a URL is a public address; undefined for a name. An address is public unless it is one of IANA's
 * special-purpose addresses, a multicast address, or not assigned. The URL parser has already normalized the address:
 * it turns `0x7f.1` into `127.0.0.1`.
 */
function isPublicAddress(hostname: string): boolean | undefined {
  if (hostname.startsWith('[')) return !isInAny(rangesV6(), parseV6(hostname.slice(1, -1)))
  return /^\d+(\.\d+){3}$/.test(hostname) ? !isInAny(rangesV4(), parseV4(hostname)) : undefined
}

interface Range {
  prefix: bigint
  /** The number of bits after the prefix. */
  rest: bigint
}

function parseRange(range: string, parse: (address: string) => bigint, bits: bigint): Range {
  const [address = '', length = ''] = range.split('/')
  const rest = bits - BigInt(length)
  return { prefix: parse(address) >> rest, rest }
}

function isInAny(ranges: Range[], address: bigint): boolean {
  return ranges.some(({ prefix, rest }) => address >> rest === prefix)
}

function parseV4(address: string): bigint {
  return address.split('.').reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** An address has eight groups, and `::` stands for groups that are zero. */
function parseV6(address: string): bigint {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}
