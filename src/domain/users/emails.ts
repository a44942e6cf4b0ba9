import { DOMAIN_LENGTH } from '../../limits.ts'

/** RFC 5322, section 3.2.3: dot-atom, in ASCII. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** What may stand in a domain before it is converted: the URL parser would strip or decode anything else. */
const DOMAIN = /^([A-Za-z0-9.\-\p{L}\p{M}\p{N}\u00b7\u30fb]|\u200c|\u200d)+$/u
const REST_OF_LABEL = `([a-z0-9-]{0,${DOMAIN_LENGTH.label - 2}}[a-z0-9])?`
const LABEL = new RegExp(`^[a-z0-9]${REST_OF_LABEL}$`)

/** A name in ASCII with nothing for UTS #46 to do, so that most addresses cost no URL. */
const PLAIN_NAME = new RegExp(`^([a-z0-9]${REST_OF_LABEL}\\.)+[a-z]${REST_OF_LABEL}$`)

/**
 * The form under which addresses are compared, undefined for what is no address: the local part in ASCII lower
 * case, the domain as punycode (UTS #46, by the URL parser). ASCII alone is folded, so that `K` (U+212A) is not `k`.
 */
export function emailKey(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const domain = email.slice(at + 1)
  if (at < 1 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined
  const ascii = toAscii(domain)
  const labels = ascii?.split('.') ?? []
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  if (!isName || labels.join('.').length > DOMAIN_LENGTH.name) return undefined
  return `${local.toLowerCase()}@${ascii}`
}

function toAscii(domain: string): string | undefined {
  const lower = domain.toLowerCase()
  if (PLAIN_NAME.test(lower) && !lower.includes('xn--')) return lower
  return URL.parse(`https://${domain}`)?.hostname
}

/** Of an address that was validated before. */
export function emailKeyOf(email: string): string {
  const key = emailKey(email)
  if (key === undefined) throw new Error('an e-mail that was not validated')
  return key
}
